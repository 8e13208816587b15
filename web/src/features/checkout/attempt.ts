// One attempt at checking out carries one key, so that the program can tell a repeat from a second order. The key
// stays while we do not know what became of the attempt (the network failed, the program stumbled), and goes once the
// attempt was answered or is about something else. It outlives a reload, because that is what people do when
// something hangs.
import { ApiError } from '~/api/client';
import type { Cart } from '~/api/types';

export type Attempt = { subject: string; key: string };

/** What the attempt is about: this cart, to this address. */
export function subjectOf(cart: Cart, addressId: string): string {
  return `${cart.version}:${cart.totalAmount}:${addressId}`;
}

export function nextAttempt(last: Attempt | null, subject: string, newKey: () => string): Attempt {
  return last?.subject === subject ? last : { subject, key: newKey() };
}

export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** A UUID. `randomUUID` is there only under https and on one's own machine. */
export function newKey(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const hex = Array.from((crypto as Crypto).getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

const PLACE = 'checkout-attempt';
type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
const inThisTab = (): Kept => sessionStorage;

export function readAttempt(storage = inThisTab): Attempt | null {
  try {
    const kept: unknown = JSON.parse(storage().getItem(PLACE) ?? 'null');
    const { subject, key } = (kept ?? {}) as Partial<Attempt>;
    return typeof subject === 'string' && typeof key === 'string' ? { subject, key } : null;
  } catch {
    return null;
  }
}

export function keepAttempt(attempt: Attempt | null, storage = inThisTab): void {
  try {
    if (attempt) storage().setItem(PLACE, JSON.stringify(attempt));
    else storage().removeItem(PLACE);
  } catch {
    // Storage may be forbidden; a reload then begins a new attempt.
  }
}
