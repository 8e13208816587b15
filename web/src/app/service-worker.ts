// Registers the service worker (public/sw.js) when the page is idle, and tells it what was seen, so that it can be read
// offline.
import { isSupported, savesData } from './seen-page';

export function registerServiceWorker(): void {
  if (!isSupported()) return;
  const register = async () => {
    await navigator.serviceWorker.register('/sw.js');
    const worker = (await navigator.serviceWorker.ready).active;
    // The files of the first visit were loaded before the worker was there. They are in the browser's own cache.
    const report = (seen: string) => {
      const files = performance.getEntriesByType('resource').map(({ name }) => name);
      worker?.postMessage({ seen, files });
    };
    report(window.location.pathname);
    if (savesData()) return;
    await loadAnswers();
    report('');
  };
  const whenIdle = () => (window.requestIdleCallback ?? setTimeout)(() => void register().catch(() => undefined));
  if (document.readyState === 'complete') setTimeout(whenIdle, 2000);
  else window.addEventListener('load', () => setTimeout(whenIdle, 2000));
}

/** What answers a press and is loaded when it is first needed: without it, nothing would happen offline. */
const loadAnswers = () =>
  Promise.allSettled([
    import('./layout/toaster'),
    import('~/features/cart/cart-panel'),
    import('~/features/auth/login-modal'),
  ]);
