import { expect, test } from 'vitest';
import { changeOf, countOf, hourName, shortRupees, weekdayName } from './words';

test('large amounts are short', () => {
  expect([0, 999, 1500, 123_456, 100_000, 25_000_000, -1500].map(shortRupees)).toEqual([
    '₹0',
    '₹999',
    '₹1.5k',
    '₹1.2 L',
    '₹1 L',
    '₹2.5 Cr',
    '₹-1.5k',
  ]);
});

test('a change is in per cent of what was before', () => {
  expect(changeOf(112, 100)).toEqual({ text: '12%', sign: 1 });
  expect(changeOf(95.5, 100)).toEqual({ text: '4.5%', sign: -1 });
  expect(changeOf(5, 5)).toEqual({ text: 'same', sign: 0 });
  expect(changeOf(5, 0)).toEqual({ text: '', sign: 1 });
  expect(changeOf(0, 0)).toEqual({ text: 'same', sign: 0 });
  expect(changeOf(5000, 1)).toEqual({ text: 'over 1,000%', sign: 1 });
});

test('counts have the separators of other numbers', () => {
  expect([1, 12, 1145].map((count) => countOf(count, 'pack'))).toEqual(['1 pack', '12 packs', '1,145 packs']);
});

test('hours and weekdays have names', () => {
  expect([0, 11, 12, 23].map(hourName)).toEqual(['12 am', '11 am', '12 pm', '11 pm']);
  expect([1, 7].map(weekdayName)).toEqual(['Monday', 'Sunday']);
});
