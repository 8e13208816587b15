import { expect, test } from 'vitest';
import { testOrder, testRefund } from '~/testing/order';
import { ordersToAskAbout, refundLabel, whyStay } from './leaving';

const line = { productId: 'goda-masala', qty_50g: 1, qty_100g: 0, amount: 65 };
const part = { ...testOrder, refundedAmount: 65, refundableAmount: 245.5, refunds: [{ ...testRefund, lines: [line] }] };
const all = { ...testOrder, refundedAmount: 310.5, refundableAmount: 0, refunds: [{ ...testRefund, amount: 310.5 }] };
const failed = { ...testOrder, refunds: [{ ...testRefund, state: 'failed' as const }] };
const unpaid = { ...testOrder, paymentStatus: 'pending' as const };

test('a row says how much went back', () => {
  expect([testOrder, failed, part, all].map(refundLabel)).toEqual([
    null,
    null,
    'Refunded ₹65.00 of ₹310.50',
    'Refunded',
  ]);
  // A rest that cannot be refunded.
  expect(refundLabel({ ...all, refundedAmount: 309.51 })).toBe('Refunded');
  expect(refundLabel({ ...all, refundedAmount: 309.5 })).toBe('Refunded ₹309.50 of ₹310.50');
  // Only a second payment was refunded.
  expect(refundLabel({ ...all, refundedAmount: 0 })).toBeNull();
  expect(whyStay({ ...all, refundedAmount: 0 })).toBeNull();
});

test('refunded and unpaid orders are asked about, with what was refunded', () => {
  expect(whyStay(part)).toBe('Refunded ₹65.00 of ₹310.50: Goda Masala 1 × 50 g.');
  expect(whyStay(all)).toBe('Refunded.');
  expect(whyStay(unpaid)).toBe('It is not paid.');
  const orders = [testOrder, failed, part, all, unpaid];
  expect(ordersToAskAbout(orders, 'shipped')).toEqual([part, all, unpaid]);
  expect(ordersToAskAbout(orders, 'confirmed')).toEqual([]);
  expect(ordersToAskAbout([{ ...all, orderStatus: 'shipped' }], 'delivered')).toEqual([]);
});
