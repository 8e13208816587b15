import { expect, test } from 'vitest';
import { concernTitle } from './concern-words';

test('every kind that the program writes has words', () => {
  const kinds = ['amount mismatch', 'late payment', 'refund', 'refund failed', 'mail not sent'];
  expect(kinds.map(concernTitle)).toEqual([
    'Amount mismatch',
    'Late payment',
    'Refund',
    'Refund failed',
    'Email not sent',
  ]);
});

test('an unknown kind is shown as words, never as an id or as nothing', () => {
  expect(concernTitle('stock_lost')).toBe('Stock lost');
  expect(concernTitle('')).toBe('Order issue');
});
