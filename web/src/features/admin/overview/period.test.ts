import { expect, test } from 'vitest';
import { parseQuery } from '~/lib/router/query-string';
import { addDays, daysOf, lengthOf, parseDays, problemOf, today } from './period';

/** 1 March 2028, 00:30 in India: still 29 February in UTC. */
const NOW = Date.UTC(2028, 1, 29, 19, 0);

test('days are those of India', () => {
  expect(today(NOW)).toBe('2028-03-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(addDays('2027-12-31', 1)).toBe('2028-01-01');
});

test('a period has as many days as its name says, today included', () => {
  expect(daysOf('today', NOW)).toEqual({ period: 'today', from: '2028-03-01', to: '2028-03-01' });
  expect(daysOf('7d', NOW)).toEqual({ period: '7d', from: '2028-02-24', to: '2028-03-01' });
  for (const [period, length] of [
    ['30d', 30],
    ['90d', 90],
  ] as const) {
    const { from, to } = daysOf(period, NOW);
    expect(lengthOf(from, to)).toBe(length);
  }
});

test('the URL names the days, and anything else is the last 30 days', () => {
  const parse = (search: string) => parseDays(parseQuery(search), NOW);
  expect(parse('?from=2028-01-31&to=2028-02-29')).toEqual({ period: 'range', from: '2028-01-31', to: '2028-02-29' });
  expect(parse('?period=7d').from).toBe('2028-02-24');
  for (const search of ['', '?period=8d', '?period=range', '?from=2028-01-31', '?from=x&to=2028-02-29'])
    expect(parse(search)).toEqual(daysOf('30d', NOW));
});

test('days that cannot be shown are explained', () => {
  const range = (from: string, to: string) => problemOf({ period: 'range', from, to });
  expect(range('2028-03-01', '2028-02-29')).toMatch('after');
  expect(range('2027-01-01', '2028-01-02')).toMatch('366');
  expect(range('2027-01-01', '2028-01-01')).toBe('');
});
