import { describe, expect, it } from 'vitest';
import { ApiError } from '~/api/client';
import { isUnanswered, keepAttempt, newKey, nextAttempt, readAttempt, subjectOf } from './attempt';

const cart = { items: [], totalPacks: 2, totalAmount: 130, version: 7 };

describe('an attempt at checking out', () => {
  it('keeps its key while it is about the same cart and address', () => {
    const first = nextAttempt(null, subjectOf(cart, 'home'), newKey);
    expect(nextAttempt(first, subjectOf(cart, 'home'), newKey)).toBe(first);
  });
  it('gets a new key when the cart, its price or the address changed', () => {
    const first = nextAttempt(null, subjectOf(cart, 'home'), newKey);
    for (const subject of [
      subjectOf(cart, 'work'),
      subjectOf({ ...cart, version: 8 }, 'home'),
      subjectOf({ ...cart, totalAmount: 140 }, 'home'),
    ]) {
      expect(nextAttempt(first, subject, newKey).key).not.toBe(first.key);
    }
  });
  it('is unanswered when nobody knows what became of it', () => {
    expect(isUnanswered(new ApiError(0, ''))).toBe(true);
    expect(isUnanswered(new ApiError(503, ''))).toBe(true);
    expect(isUnanswered(new ApiError(409, 'Not enough spice stock available'))).toBe(false);
    expect(isUnanswered(new Error('Failed to initiate payment'))).toBe(false);
  });
  it('outlives a reload', () => {
    const kept = new Map<string, string>();
    const storage = () => ({
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, text: string) => void kept.set(name, text),
      removeItem: (name: string) => void kept.delete(name),
    });
    const attempt = { subject: 's', key: 'k' };
    expect(readAttempt(storage)).toBeNull();
    keepAttempt(attempt, storage);
    expect(readAttempt(storage)).toEqual(attempt);
    keepAttempt(null, storage);
    expect(readAttempt(storage)).toBeNull();
    kept.set('checkout-attempt', '{broken');
    expect(readAttempt(storage)).toBeNull();
  });
  it('has a UUID for a key', () => {
    expect(newKey()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
