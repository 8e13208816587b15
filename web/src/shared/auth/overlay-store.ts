// Which overlay is open: the cart or the sign-in dialog. Any component may open one; app/layout/overlays.tsx shows it.
import { useSyncExternalStore } from 'react';

/** Something to know about what was just put into the cart. */
export type CartNote = { title: string; lines: string[] };

type OverlayState = {
  cart: boolean;
  /** Shown in the cart until it is closed. */
  cartNote: CartNote | null;
  login: boolean;
  /** Packs to add to the cart after signing in: `{productId}:{qty50}:{qty100}`. */
  pendingItem: string;
};

const closed: OverlayState = { cart: false, cartNote: null, login: false, pendingItem: '' };
let state = closed;
const listeners = new Set<() => void>();

function set(next: Partial<OverlayState>) {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export const openCart = (cartNote: CartNote | null = null) => set({ cart: true, cartNote });
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
