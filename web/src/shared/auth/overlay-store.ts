// Which overlay is open: the cart or the sign-in dialog. Any component may open one; app/layout/overlays.tsx shows it.
import { useSyncExternalStore } from 'react';

type OverlayState = {
  cart: boolean;
  login: boolean;
  /** Packs to add to the cart after signing in: `{productId}:{qty50}:{qty100}`. */
  pendingItem: string;
};

const closed: OverlayState = { cart: false, login: false, pendingItem: '' };
let state = closed;
const listeners = new Set<() => void>();

function set(next: Partial<OverlayState>) {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export const openCart = () => set({ cart: true });
export const closeCart = () => set({ cart: false });
export const openLogin = (pendingItem = '') => set({ login: true, cart: false, pendingItem });
export const closeLogin = () => set({ login: false });

export function useOverlays(): OverlayState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => closed,
  );
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
