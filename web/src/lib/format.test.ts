import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatDate,
  formatDateTime,
  formatDateTimeIst,
  formatNumber,
  formatPrice,
  plural,
} from './format';

describe('rupees', () => {
  it('group by lakh and crore', () => {
    expect([65, 1234, 123456, 12345678].map(formatPrice)).toEqual(['₹65', '₹1,234', '₹1,23,456', '₹1,23,45,678']);
    expect(formatAmount(123456)).toBe('₹1,23,456.00');
    expect(formatNumber(-1500)).toBe('-1,500');
  });
  it('of a price have paise only where there are some, those of an amount always', () => {
    expect([65, 65.5, 1.3].map(formatPrice)).toEqual(['₹65', '₹65.50', '₹1.30']);
    expect([65, 65.5, 0, 0.1 + 0.2].map(formatAmount)).toEqual(['₹65.00', '₹65.50', '₹0.00', '₹0.30']);
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
