// Calls back when the browser restores the page from its back/forward cache, with the state it had when it was left.
import { useEffect, useEffectEvent } from 'react';

export function useBfcacheRestore(onRestored: () => void): void {
  const restored = useEffectEvent(onRestored);
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) restored();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
}
