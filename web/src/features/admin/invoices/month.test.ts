import { expect, it } from 'vitest';
import { parseQuery } from '~/lib/router/query-string';
import { monthName, monthNow, moveMonth, parseMonth } from './month';

it('begins a month at midnight in India', () => {
  expect(monthNow(Date.parse('2026-11-30T18:29:59.999Z'))).toBe('2026-11');
  expect(monthNow(Date.parse('2026-11-30T18:30:00.000Z'))).toBe('2026-12');
});

it('reads the month of the URL, or the current one', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  expect(parseMonth(parseQuery('?month=2025-02'), now)).toBe('2025-02');
  for (const wrong of ['', '?month=2025', '?month=2025-13', '?month=2025-00', '?month=x'])
    expect(parseMonth(parseQuery(wrong), now)).toBe('2026-11');
});

it('moves across the turn of the year', () => {
  expect(moveMonth('2026-12', 1)).toBe('2027-01');
  expect(moveMonth('2027-01', -1)).toBe('2026-12');
  expect(moveMonth('2026-03', -14)).toBe('2025-01');
  expect(monthName('2026-03')).toBe('March 2026');
});
