// The days of the overview, in the URL. Days are those of India.
import type { QueryString } from '~/lib/router/query-string';
import { day, keyOf, urlFilter } from '~/lib/router/url-filter';

const IST_OFFSET_MS = 5.5 * 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** As many days as the server adds up at once. */
export const MAX_DAYS = 366;

export const PERIODS = { today: 'Today', '7d': '7 days', '30d': '30 days', '90d': '90 days', range: 'Range' } as const;
export type Period = keyof typeof PERIODS;
export type Days = { period: Period; from: string; to: string };

const LENGTHS: Record<Exclude<Period, 'range'>, number> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };

/** `2026-11-15` */
export function today(now = Date.now()): string {
  return new Date(now + IST_OFFSET_MS).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Both days count. */
export const lengthOf = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

export const daysUrl = urlFilter({ period: keyOf(LENGTHS, '30d'), from: day, to: day });

export function parseDays(query: QueryString, now?: number): Days {
  const { from, to, period } = daysUrl.read(query);
  return from && to ? { period: 'range', from, to } : daysOf(period, now);
}

export function daysOf(period: Period, now?: number): Days {
  const to = today(now);
  return { period, from: addDays(to, 1 - (period === 'range' ? 30 : LENGTHS[period])), to };
}

/** Why the server would not add up these days; empty if it does. */
export function problemOf({ from, to }: Days): string {
  if (from > to) return 'The first day is after the last day';
  return lengthOf(from, to) > MAX_DAYS ? `At most ${MAX_DAYS} days at once` : '';
}
