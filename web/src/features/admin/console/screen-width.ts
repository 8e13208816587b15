// How wide the screen is. The admin area is rendered in the browser only, so the width is known.
import { useSyncExternalStore } from 'react';

/** Not wider than a tablet: too narrow for a table with many columns. */
export const useIsTablet = () => useMediaQuery('(width < 64rem)');

function useMediaQuery(condition: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(condition);
      query.addEventListener('change', onChange);
      return () => query.removeEventListener('change', onChange);
    },
    () => matchMedia(condition).matches,
    () => false,
  );
}
