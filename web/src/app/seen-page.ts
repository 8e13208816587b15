// Tells the service worker of a page that was reached by a link: it has not seen a request for it.

export const isSupported = () => 'serviceWorker' in navigator && window.isSecureContext;

export const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

export function reportSeenPage(pathname: string): void {
  if (isSupported() && !savesData()) navigator.serviceWorker.controller?.postMessage({ seen: pathname, files: [] });
}
