import { describe, expect, it } from 'vitest';
import { formatDate, formatDateTime, formatDateTimeIst, formatNumber, formatRupees, plural } from './format';

describe('rupees', () => {
  it('groups by lakh and crore', () => {
    expect(formatRupees(65)).toBe('₹65');
    expect(formatRupees(1234)).toBe('₹1,234');
    expect(formatRupees(123456)).toBe('₹1,23,456');
    expect(formatRupees(12345678)).toBe('₹1,23,45,678');
  });
  it('shows paise only where there are any, or where requested', () => {
    expect(formatRupees(65.5)).toBe('₹65.50');
    expect(formatRupees(65, 2)).toBe('₹65.00');
    expect(formatRupees(0.1 + 0.2)).toBe('₹0.30');
    expect(formatNumber(-1500)).toBe('-1,500');
  });
});

describe('dates', () => {
  it('are in Indian time', () => {
    expect(formatDate('2026-11-14T20:00:00Z')).toBe('15 Nov 2026');
    expect(formatDateTime('2026-11-14T06:35:00Z')).toBe('14 Nov 2026, 12:05 pm');
    expect(formatDateTimeIst('2026-11-14T20:00:00Z')).toBe('Sun 15 Nov 2026, 1:30 am IST');
    expect(formatDateTimeIst('no date')).toBe('');
    expect(formatDate('not a date')).toBe('');
  });
});

it('counts', () => {
  expect(plural(1, 'pack')).toBe('1 pack');
  expect(plural(3, 'pack')).toBe('3 packs');
});
