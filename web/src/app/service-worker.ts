// Registers the service worker (public/sw.js) when the page is idle, and tells it what was seen, so that it can be read
// offline.

const isSupported = () => 'serviceWorker' in navigator && window.isSecureContext;

export function registerServiceWorker(): void {
  if (!isSupported()) return;
  const register = async () => {
    await navigator.serviceWorker.register('/sw.js');
    const worker = (await navigator.serviceWorker.ready).active;
    // The files of the first visit were loaded before the worker was there. They are in the browser's own cache.
    const files = performance.getEntriesByType('resource').map(({ name }) => name);
    worker?.postMessage({ seen: window.location.pathname, files });
  };
  const whenIdle = () => (window.requestIdleCallback ?? setTimeout)(() => void register().catch(() => undefined));
  if (document.readyState === 'complete') setTimeout(whenIdle, 2000);
  else window.addEventListener('load', () => setTimeout(whenIdle, 2000));
}

/** A page that was reached by a link: the worker has not seen a request for it. */
export function reportSeenPage(pathname: string): void {
  const saveData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData;
  if (isSupported() && !saveData) navigator.serviceWorker.controller?.postMessage({ seen: pathname, files: [] });
}
