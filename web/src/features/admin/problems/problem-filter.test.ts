import { expect, it } from 'vitest';
import { parseQuery } from '~/lib/router/query-string';
import { dueText, problemsUrl, stateBadge } from './problem-filter';

it('the filter is read from the URL', () => {
  const of = (search: string) => problemsUrl.read(parseQuery(search)).state;
  expect([of(''), of('?state=all'), of('?state=lost')]).toEqual(['unsettled', 'all', 'unsettled']);
});

it('what is due is said until it is settled', () => {
  const problem = { settled: false, overdue: false, dueAt: '2026-11-17T06:35:00Z' };
  const at = 'Tue 17 Nov 2026, 12:05 pm IST';
  expect(dueText({ ...problem, state: 'open' })).toBe(`Decide by ${at}`);
  expect(dueText({ ...problem, state: 'replaced', overdue: true })).toBe(`Overdue: Deliver the replacement by ${at}`);
  expect(dueText({ ...problem, state: 'refunded', settled: true })).toBe('');
  expect(dueText({ ...problem, state: 'declined', settled: true, dueAt: null })).toBe('');
  expect(stateBadge({ ...problem, state: 'refunded' }).label).toBe('Refunded, under way');
  expect(stateBadge({ ...problem, state: 'refunded', settled: true }).label).toBe('Refunded, settled');
});
