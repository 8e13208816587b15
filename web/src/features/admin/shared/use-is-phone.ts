// Whether the screen is as narrow as a phone. The admin area is rendered in the browser only, so the width is known.
import { useSyncExternalStore } from 'react';

const NARROW = '(width < 48rem)';

export function useIsPhone(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => matchMedia(NARROW).matches,
    () => false,
  );
}
