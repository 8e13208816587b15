// Changes of the cart that the server has not confirmed yet, and the cart as it will be with them.
import { useSyncExternalStore } from 'react';
import type { Cart, CartItem } from '~/api/types';

export type PackCounts = { qty_50g: number; qty_100g: number };

export type CartChange =
  /** More or fewer packs of a line that is shown; the counts are differences. */
  | ({ kind: 'step'; productId: string } & PackCounts)
  /** `logsFailure`: an error is logged and not shown. `sendsQuantity`: packs of 50 g are sent as `quantity`. */
  | ({ kind: 'add'; productId: string; logsFailure: boolean; sendsQuantity: boolean } & PackCounts)
  | { kind: 'remove'; productId: string }
  | { kind: 'clear' };

export const packsIn = ({ qty_50g, qty_100g }: PackCounts): number => qty_50g + qty_100g;

export const addPacks = (one: PackCounts, other: PackCounts): PackCounts => ({
  qty_50g: Math.max(0, one.qty_50g + other.qty_50g),
  qty_100g: Math.max(0, one.qty_100g + other.qty_100g),
});

/** Amounts stay those of the server's last response; only packs are counted here. */
export function withChanges(cart: Cart, changes: readonly CartChange[]): Cart {
  return changes.reduce(withChange, cart);
}

function withChange(cart: Cart, change: CartChange): Cart {
  if (change.kind === 'clear') return { ...cart, items: [], totalPacks: 0 };
  const held = cart.items.find((item) => item.productId === change.productId);
  const before = held ? packsIn(held) : 0;
  const after = change.kind === 'remove' ? { qty_50g: 0, qty_100g: 0 } : addPacks(held ?? NO_PACKS, change);
  const isGone = packsIn(after) === 0;
  const items = cart.items.flatMap((item): CartItem[] =>
    item === held ? (isGone ? [] : [{ ...item, ...after }]) : [item],
  );
  return { ...cart, items, totalPacks: cart.totalPacks + packsIn(after) - before };
}

const NO_PACKS: PackCounts = { qty_50g: 0, qty_100g: 0 };
const NONE: readonly CartChange[] = [];

export function createPendingChanges() {
  let changes = NONE;
  const listeners = new Set<() => void>();
  return {
    read: () => changes,
    set(next: readonly CartChange[]) {
      changes = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
export type PendingChanges = ReturnType<typeof createPendingChanges>;

/** Those of this tab. A server render never changes a cart. */
export const pendingChanges = createPendingChanges();

export function usePendingChanges(): readonly CartChange[] {
  return useSyncExternalStore(pendingChanges.subscribe, pendingChanges.read, () => NONE);
}
