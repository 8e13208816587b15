// The modal dialogs that are open, the topmost last. A modal dialog makes everything outside it inert, so what must stay
// usable above it (toasts) has to be put inside it.
import { useSyncExternalStore } from 'react';

let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function set(next: readonly HTMLDialogElement[]) {
  open = next;
  for (const listener of listeners) listener();
}

export const addModal = (dialog: HTMLDialogElement) => set([...open.filter((other) => other !== dialog), dialog]);
export const removeModal = (dialog: HTMLDialogElement) => set(open.filter((other) => other !== dialog));

export function useTopModal(): HTMLDialogElement | undefined {
  return useSyncExternalStore(
    subscribe,
    () => open.at(-1),
    () => undefined,
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
