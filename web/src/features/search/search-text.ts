// The text in the search boxes: one for the whole shop, because the header has two boxes and the product list shows
// what is typed in either.
import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

export function setSearchText(next: string): void {
  if (next === text) return;
  text = next;
  for (const listener of listeners) listener();
}

export function useSearchText(): string {
  return useSyncExternalStore(
    subscribe,
    () => text,
    () => '',
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
