// What is of use only once the page is there: transitions between pages, loading pages ahead, the service worker, finding
// the shop again. Not part of the first load.
import type { QueryClient } from '@tanstack/react-query';
import { reconnect } from './reconnect';
import { createPageTransition } from './routing/page-transition';
import { startPrefetching } from './routing/prefetch';
import { registerServiceWorker } from './service-worker';

/** Returns how a page is shown from now on. */
export function afterStart(client: QueryClient) {
  startPrefetching(client);
  registerServiceWorker();
  reconnect(client);
  return createPageTransition(client);
}
