// Which of the shop's panels is open: the cart, the sign-in dialog. Any part may ask for one; the frame shows it.
import { useSyncExternalStore } from 'react';

type PanelState = {
  cart: boolean;
  login: boolean;
  /** Packs the visitor wanted to add when sign-in came between: `{productId}:{qty50}:{qty100}`. */
  wanted: string;
};

const closed: PanelState = { cart: false, login: false, wanted: '' };
let state = closed;
const listeners = new Set<() => void>();

function set(next: Partial<PanelState>) {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

export const openCart = () => set({ cart: true });
export const closeCart = () => set({ cart: false });
export const openLogin = (wanted = '') => set({ login: true, cart: false, wanted });
export const closeLogin = () => set({ login: false });

export function usePanels(): PanelState {
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
