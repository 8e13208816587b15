import { expect, it } from 'vitest';
import { testDiscount } from '~/testing/discount';
import { rules, stateOf, usesText, validity, valueText } from './discount-words';

it('describes a code', () => {
  expect(valueText(testDiscount)).toBe('20 %');
  expect(valueText({ kind: 'amount', value: 49.5 })).toBe('₹49.50');
  expect(rules(testDiscount)).toEqual(['Only Beverages and 2 products', 'From ₹499.50', 'Once per customer']);
  expect(rules({ ...testDiscount, categories: [], products: [], minTotal: 0, oncePerCustomer: false })).toEqual([
    'Whole order',
  ]);
  expect(validity(testDiscount)).toBe('1 Nov 2026, 6:30 pm to 25 Nov 2026, 11:59 pm');
  expect(validity({ from: null, to: null })).toBe('Always');
  expect(usesText(testDiscount)).toBe('42 of 500 (2 unpaid)');
  expect(usesText({ uses: 3, maxUses: null, held: 0 })).toBe('3');
});

it('knows whether a code can be used now, in India', () => {
  const at = (time: string, changes = {}) => stateOf({ ...testDiscount, ...changes }, Date.parse(time));
  expect(at('2026-11-01T12:59:59Z')).toBe('planned');
  expect(at('2026-11-01T13:00:00Z')).toBe('active');
  expect(at('2026-11-25T18:29:59.999Z')).toBe('active');
  expect(at('2026-11-25T18:30:00Z')).toBe('ended');
  expect(at('2026-11-10T00:00:00Z', { uses: 500 })).toBe('used up');
  expect(at('2026-11-10T00:00:00Z', { active: false })).toBe('paused');
});
