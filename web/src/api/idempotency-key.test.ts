import { expect, it } from 'vitest';
import { keysByContent } from './idempotency-key';

it('the same content has the same key, also after other content', () => {
  const keyOf = keysByContent();
  const first = keyOf({ grams: 100, note: '' });
  expect(keyOf({ grams: 100, note: '' })).toBe(first);
  const second = keyOf({ grams: 200, note: '' });
  expect(second).not.toBe(first);
  expect(keyOf({ grams: 100, note: '' })).toBe(first);
  expect(keysByContent()({ grams: 100, note: '' })).not.toBe(first);
});
