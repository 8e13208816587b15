// Whether a form holds changes that nobody has saved. The console asks before it leads away; the browser asks before
// it closes the tab.
import { useEffect } from 'react';

let unsaved = false;

export const hasUnsaved = () => unsaved;

export function useUnsaved(now: boolean): void {
  useEffect(() => {
    unsaved = now;
    if (!now) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      unsaved = false;
      window.removeEventListener('beforeunload', warn);
    };
  }, [now]);
}
