import { expect, it } from 'vitest';
import { formatDeadline, formatTimeLeft } from './time-left';

const minutes = (count: number) => count * 60_000;

it('the time left has hours and minutes, and no zeros', () => {
  const texts = [minutes(192), minutes(192) + 59_999, minutes(180), minutes(12), minutes(1), 59_999, 1, 0, -1].map(
    formatTimeLeft,
  );
  expect(texts).toEqual([
    '3 h 12 min',
    '3 h 12 min',
    '3 h',
    '12 min',
    '1 min',
    'less than a minute',
    'less than a minute',
    '',
    '',
  ]);
});

it('a deadline is a time in India, today or on another day', () => {
  // 23:59:59.999 in India.
  const until = '2026-11-14T18:29:59.999Z';
  expect(formatDeadline(until, Date.parse('2026-11-14T15:17:00Z'))).toBe('11:59 PM IST today');
  expect(formatDeadline(until, Date.parse('2026-11-13T18:30:00Z'))).toBe('11:59 PM IST today');
  expect(formatDeadline(until, Date.parse('2026-11-14T18:30:00Z'))).toBe('11:59 PM IST on 14 Nov 2026');
});
