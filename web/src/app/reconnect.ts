// Finds the shop again when it cannot be reached: asks for it with growing pauses, and at once when the connection comes
// back or the tab is looked at. Then everything that failed and is still shown is loaded again.
import type { QueryClient } from '@tanstack/react-query';
import { isUnreachable } from '~/api/error';
import { isShopAway, setShopAway } from './layout/reachability';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Returns how to stop. */
export function reconnect(client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isAsking = false;

  const lost = () => {
    if (isShopAway()) return;
    setShopAway(true);
    pauseMs = FIRST_PAUSE_MS;
    wait();
  };
  const wait = () => {
    timer = setTimeout(() => void ask(), pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
  };
  const ask = async () => {
    clearTimeout(timer);
    if (isAsking || !isShopAway()) return;
    isAsking = true;
    const answers = await shopAnswers();
    isAsking = false;
    if (!isShopAway()) return;
    if (answers) found();
    else wait();
  };
  const found = () => {
    clearTimeout(timer);
    setShopAway(false);
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreachable(state.error) });
  };
  const askIfSeen = () => {
    if (document.visibilityState === 'visible') void ask();
  };

  const stops = [
    client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      if (event.action.type === 'error' && isUnreachable(event.action.error)) lost();
      // Somebody pressed 'Try again'.
      else if (event.action.type === 'success' && !event.action.manual && isShopAway()) found();
    }),
    client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && isUnreachable(event.action.error)) lost();
    }),
  ];
  // What failed before this code was there.
  if (client.getQueryCache().findAll({ predicate: ({ state }) => isUnreachable(state.error) }).length > 0) lost();
  window.addEventListener('online', askIfSeen);
  document.addEventListener('visibilitychange', askIfSeen);
  return () => {
    clearTimeout(timer);
    setShopAway(false);
    for (const stop of stops) stop();
    window.removeEventListener('online', askIfSeen);
    document.removeEventListener('visibilitychange', askIfSeen);
  };
}

/** A small request that no cache answers. A proxy in front of a server that is down sends no JSON. */
async function shopAnswers(): Promise<boolean> {
  try {
    const response = await fetch('/api/auth/check-auth', { credentials: 'same-origin', cache: 'no-store' });
    return (response.headers.get('content-type') ?? '').includes('json');
  } catch {
    return false;
  }
}
