import { describe, expect, it } from 'vitest';
import { newKey } from '~/api/idempotency-key';
import { attemptFor, fingerprint, readAttempt, saveAttempt } from './checkout-attempt';

const cart = {
  items: [],
  totalPacks: 2,
  totalAmount: 130,
  discountCode: null,
  discountAmount: 0,
  discountNotice: null,
  version: 7,
};

describe('a checkout attempt', () => {
  it('keeps its key while it is about the same cart and address', () => {
    const first = attemptFor(null, fingerprint(cart, 'home'), newKey);
    expect(attemptFor(first, fingerprint(cart, 'home'), newKey)).toBe(first);
  });
  it('gets a new key when the cart, its price or the address changed', () => {
    const first = attemptFor(null, fingerprint(cart, 'home'), newKey);
    for (const subject of [
      fingerprint(cart, 'work'),
      fingerprint({ ...cart, version: 8 }, 'home'),
      fingerprint({ ...cart, totalAmount: 140 }, 'home'),
    ]) {
      expect(attemptFor(first, subject, newKey).key).not.toBe(first.key);
    }
  });
  it('survives a reload', () => {
    const stored = new Map<string, string>();
    const storage = () => ({
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    });
    const attempt = { subject: 's', key: 'k' };
    expect(readAttempt(storage)).toBeNull();
    saveAttempt(attempt, storage);
    expect(readAttempt(storage)).toEqual(attempt);
    saveAttempt(null, storage);
    expect(readAttempt(storage)).toBeNull();
    stored.set('checkout-attempt', '{broken');
    expect(readAttempt(storage)).toBeNull();
  });
  it('has a UUID for a key', () => {
    expect(newKey()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
