// The idempotency key of a checkout attempt: with it the server tells a repeated request from a second order. The key is
// reused while the outcome of the attempt is unknown (network error, server error), and replaced after a response or when
// the cart or address changes. It survives a reload, because users reload a page that hangs.
import type { Cart } from '~/api/types';

export type CheckoutAttempt = { subject: string; key: string };

/** Identifies what is ordered: this cart, to this address. */
export function fingerprint(cart: Cart, addressId: string): string {
  return `${cart.version}:${cart.totalAmount}:${addressId}`;
}

export function attemptFor(last: CheckoutAttempt | null, subject: string, newKey: () => string): CheckoutAttempt {
  return last?.subject === subject ? last : { subject, key: newKey() };
}

const STORAGE_KEY = 'checkout-attempt';
type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
const tabStorage = (): KeyValueStorage => sessionStorage;

export function readAttempt(storage = tabStorage): CheckoutAttempt | null {
  try {
    const stored: unknown = JSON.parse(storage().getItem(STORAGE_KEY) ?? 'null');
    const { subject, key } = (stored ?? {}) as Partial<CheckoutAttempt>;
    return typeof subject === 'string' && typeof key === 'string' ? { subject, key } : null;
  } catch {
    return null;
  }
}

export function saveAttempt(attempt: CheckoutAttempt | null, storage = tabStorage): void {
  try {
    if (attempt) storage().setItem(STORAGE_KEY, JSON.stringify(attempt));
    else storage().removeItem(STORAGE_KEY);
  } catch {
    // Storage may be disabled; a reload then starts a new attempt.
  }
}
