// Whether a form has unsaved changes. The admin layout asks for confirmation before it navigates, the browser before it
// closes the tab.
import { useEffect } from 'react';

let unsaved = false;

export const hasUnsavedChanges = () => unsaved;

export function useUnsavedChanges(now: boolean): void {
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
