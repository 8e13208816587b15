// The light and the dark theme. The document's `data-theme` attribute holds the current one (a script in index.html
// sets it before the first paint); a choice is saved under the key 'theme'.
import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

function current(): Theme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

export function toggleTheme(): void {
  const next: Theme = current() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', next === 'dark' ? '#17110d' : '#fbf3e4');
  try {
    localStorage.setItem('theme', next);
  } catch {
    // Storage may be disabled; the choice then lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** `null` until hydrated: the server does not know, and the toggle shows both icons through CSS meanwhile. */
export function useTheme(): Theme | null {
  return useSyncExternalStore(subscribe, current, () => null);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
