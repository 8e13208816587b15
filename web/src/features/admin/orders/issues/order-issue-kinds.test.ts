import { expect, test } from 'vitest';
import { kindLabel } from './order-issue-kinds';

test('every kind that the server writes has a label', () => {
  const kinds = ['amount mismatch', 'late payment', 'refund', 'refund failed', 'mail not sent', 'parcel lost'];
  expect(kinds.map(kindLabel)).toEqual([
    'Amount mismatch',
    'Late payment',
    'Refund',
    'Refund failed',
    'Email not sent',
    'Parcel lost',
  ]);
});

test('an unknown kind is shown as words, never as an id or as nothing', () => {
  expect(kindLabel('stock_lost')).toBe('Stock lost');
  expect(kindLabel('')).toBe('Order issue');
});
