// Says that the connection is lost, or that the shop does not answer. A page that the service worker has saved brings the
// same notice with it.
import { useEffect, useSyncExternalStore } from 'react';
import { isShopAway, onShopAway } from './reachability';

const TEXTS = {
  offline: 'You are offline. What you see may have changed.',
  away: 'The shop cannot be reached, trying again',
};

const connection = () => (!navigator.onLine ? 'offline' : isShopAway() ? 'away' : 'online');

export function OfflineNotice() {
  const now = useSyncExternalStore(subscribe, connection, () => 'online' as const);
  useEffect(() => {
    if (now === 'online') document.getElementById('offline-notice')?.remove();
  }, [now]);
  if (now === 'online' || document.getElementById('offline-notice')) return null;
  return (
    <p role="status" className="offline-notice">
      {TEXTS[now]}
    </p>
  );
}

function subscribe(listener: () => void) {
  const stop = onShopAway(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    stop();
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
