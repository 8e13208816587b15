// Keeps the screen on.
import { useEffect } from 'react';

/** The browser ends the lock when the page is hidden, so it is requested again. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const request = async () => {
      if (document.hidden) return;
      // Missing in some browsers, and refused when the battery is low: the recipe works without it.
      const requested = await navigator.wakeLock?.request('screen').catch(() => undefined);
      if (isOver) void requested?.release();
      else lock = requested;
    };
    void request();
    document.addEventListener('visibilitychange', request);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', request);
      void lock?.release();
    };
  }, []);
}
