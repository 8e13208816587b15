// The pincode that was entered last, kept in the browser: the shop tells the day of the delivery without asking again.
import { useSyncExternalStore } from 'react';

const KEY = 'pincode';
const listeners = new Set<() => void>();

/** An empty text forgets it. */
export function rememberPincode(pincode: string): void {
  try {
    if (pincode) localStorage.setItem(KEY, pincode);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be disabled: then nothing is remembered.
  }
  for (const listener of listeners) listener();
}

/** Empty where none is known, and until this part of the page is hydrated: the server does not know it. */
export function useRememberedPincode(): string {
  return useSyncExternalStore(subscribe, read, () => '');
}

function read(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Entered in another tab.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
