// What is of use only once the page is there: transitions between pages, loading pages ahead, the service worker. Not part
// of the first load.
import type { QueryClient } from '@tanstack/react-query';
import { createPageTransition } from './routing/page-transition';
import { startPrefetching } from './routing/prefetch';
import { registerServiceWorker } from './service-worker';

/** Returns how a page is shown from now on. */
export function afterStart(client: QueryClient) {
  startPrefetching(client);
  registerServiceWorker();
  return createPageTransition(client);
}
