// Loads a stylesheet that only a part of the app needs.

/** Resolves when it applies. Its place is behind the others, whose rules it may repeat. */
export function loadStyles(url: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${url}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${url} was not loaded`));
    };
    document.head.append(link);
  });
}
