// Loads images below the screen once the page is loaded and idle, so that they are there when a user scrolls fast, or
// captures or previews the whole page. With data saving on, images load as they come near.
import { useEffect } from 'react';
import { useLocation } from '~/lib/router/router';

const DELAY_MS = 1000;

export function IdleImages() {
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page has new images
  useEffect(() => {
    const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
    if (connection?.saveData) return;
    let timer: ReturnType<typeof setTimeout>;
    const whenIdle = () => {
      timer = setTimeout(() => (window.requestIdleCallback ?? setTimeout)(fetchLazyImages), DELAY_MS);
    };
    if (document.readyState === 'complete') whenIdle();
    else window.addEventListener('load', whenIdle);
    return () => {
      window.removeEventListener('load', whenIdle);
      clearTimeout(timer);
    };
  }, [pathname]);
  return null;
}

function fetchLazyImages() {
  for (const image of document.images) {
    if (image.loading !== 'lazy') continue;
    image.fetchPriority = 'low';
    // Otherwise a capture right after loading may leave it out.
    image.decoding = 'sync';
    image.loading = 'eager';
  }
}
