// Says that the connection is lost. A page that the service worker has saved brings the same notice with it.
import { useEffect, useSyncExternalStore } from 'react';

export function OfflineNotice() {
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  useEffect(() => {
    if (online) document.getElementById('offline-notice')?.remove();
  }, [online]);
  if (online || document.getElementById('offline-notice')) return null;
  return (
    <p role="status" className="offline-notice">
      You are offline. What you see may have changed.
    </p>
  );
}

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
