// Amounts and changes as short texts.
import { formatNumber, plural } from '~/lib/format';

/** '1,145 packs' */
export const countOf = (count: number, noun: string) => plural(count, noun).replace(/^\d+/, formatNumber(count));

/** '₹1.2 L' where there is no room for more. */
export function shortRupees(value: number): string {
  const units: [number, string][] = [
    [10_000_000, ' Cr'],
    [100_000, ' L'],
    [1_000, 'k'],
  ];
  for (const [size, unit] of units) {
    if (Math.abs(value) >= size) return `₹${Number((value / size).toFixed(1))}${unit}`;
  }
  return `₹${formatNumber(value, 0)}`;
}

/** '12 %' of change; empty where there is nothing to compare with. */
export function changeOf(value: number, previous: number): { text: string; sign: -1 | 0 | 1 } {
  if (previous === 0 || value === previous)
    return { text: value === previous ? 'same' : '', sign: value > previous ? 1 : 0 };
  const percent = ((value - previous) / Math.abs(previous)) * 100;
  const size = Math.abs(percent);
  const text = size >= 1000 ? 'over 1,000%' : `${size < 10 ? size.toFixed(1) : Math.round(size)}%`;
  return { text, sign: percent > 0 ? 1 : -1 };
}

const MORNING_HOURS = [
  '12 am',
  '1 am',
  '2 am',
  '3 am',
  '4 am',
  '5 am',
  '6 am',
  '7 am',
  '8 am',
  '9 am',
  '10 am',
  '11 am',
];

/** Of a day. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** '9 pm' */
export const hourName = (hour: number) =>
  (hour < 12 ? MORNING_HOURS[hour] : MORNING_HOURS[hour - 12]?.replace('am', 'pm')) ?? '';

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** 1 is Monday. */
export const weekdayName = (weekday: number) => WEEKDAYS[weekday - 1] ?? '';
