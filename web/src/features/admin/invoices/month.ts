// The month of the invoices section, in the URL. Months are those of India.
import type { QueryString } from '~/lib/router/query-string';
import { matching, pageNumber, urlFilter } from '~/lib/router/url-filter';

const IST_OFFSET_MS = 5.5 * 60 * 60 * 1000;
const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `2026-11` */
export function monthNow(now = Date.now()): string {
  return new Date(now + IST_OFFSET_MS).toISOString().slice(0, 7);
}

export const invoicesUrl = urlFilter({ month: matching(/^\d{4}-(0[1-9]|1[0-2])$/), page: pageNumber });

export const parseMonth = (query: QueryString, now?: number): string => invoicesUrl.read(query).month || monthNow(now);

/** The month that is some months later, or earlier. */
export function moveMonth(month: string, by: number): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const months = year * 12 + number - 1 + by;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** 'November 2026' */
export function monthName(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return `${NAMES[number - 1]} ${year}`;
}
