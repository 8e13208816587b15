import { expect, it } from 'vitest';
import { testEvent, testOrder, testRefund, testShipment } from '~/testing/order';
import { canRepeat, packsLeft, parseRupees, restAfter } from '../../console/refund-amount';
import { canRestock, checkRefund, newDraft, type RefundDraft, refundAmount, refundInput } from './refund-draft';

const draft = (changes: Partial<RefundDraft>): RefundDraft => ({ ...newDraft(testOrder), reason: 'Torn', ...changes });
const goda = { 'goda-masala': { qty_50g: 1, qty_100g: 1 } };
const refunded = (state: 'completed' | 'failed') => ({
  ...testOrder,
  refunds: [{ ...testRefund, state, lines: [{ productId: 'goda-masala', qty_50g: 1, qty_100g: 0, amount: 65 }] }],
  refundableAmount: state === 'failed' ? 310.5 : 245.5,
});

it('the amount follows what is chosen, to the paisa', () => {
  expect(refundAmount(testOrder, draft({}))).toBe(310.5);
  expect(refundAmount(refunded('completed'), draft({}))).toBe(245.5);
  expect(refundAmount(testOrder, draft({ choice: 'packs', packs: goda }))).toBe(185);
  const both = { ...goda, 'chai-masala': { qty_50g: 1, qty_100g: 0 } };
  expect(refundAmount(testOrder, draft({ choice: 'packs', packs: both }))).toBe(245.5);
  expect(refundAmount(testOrder, draft({ choice: 'packs' }))).toBe(0);
  const cheap = { ...testOrder, items: testOrder.items.map((item) => ({ ...item, quantity: 3, price: 0.1 })) };
  const three = { 'goda-masala': { qty_50g: 3, qty_100g: 0 } };
  expect(refundAmount(cheap, draft({ choice: 'packs', packs: three }))).toBe(0.3);
});

it('packs of a discounted order are refunded at their share of what was paid', () => {
  // A seventh off: 250 at full price, 35.72 of it saved.
  const items = testOrder.items.map((item, at) => ({ ...item, discount: [18.58, 17.14, 0][at] ?? 0 }));
  const order = { ...testOrder, items, totalAmount: 274.78, refundableAmount: 274.78 };
  const one = { 'goda-masala': { qty_50g: 1, qty_100g: 0 } };
  expect(refundAmount(order, draft({ choice: 'packs', packs: one }))).toBe(55.71);
  const lines = [{ productId: 'goda-masala', qty_50g: 1, qty_100g: 0, amount: 55.71 }];
  const after = { ...order, refunds: [{ ...testRefund, amount: 55.71, lines }], refundableAmount: 219.07 };
  const rest = { 'goda-masala': { qty_50g: 1, qty_100g: 1 } };
  expect(refundAmount(after, draft({ choice: 'packs', packs: rest }))).toBe(158.57);
});

it('packs that were refunded cannot be chosen again, unless that refund failed', () => {
  const left = (order: typeof testOrder) => order.items.map((item) => packsLeft(order, item));
  expect(left(testOrder)).toEqual([2, 1, 1]);
  expect(left(refunded('completed'))).toEqual([1, 1, 1]);
  expect(left(refunded('failed'))).toEqual([2, 1, 1]);
});

it('an amount has at most two decimals and no other characters', () => {
  expect(['120', '65.5', ' ₹1,250.50 ', '0.99'].map(parseRupees)).toEqual([120, 65.5, 1250.5, 0.99]);
  expect(['', '-5', '1.234', 'ten', '1e3', '5.'].map(parseRupees)).toEqual([null, null, null, null, null, null]);
});

it('never more than what is left, never less than one rupee, never without a reason', () => {
  const order = refunded('completed');
  const check = (changes: Partial<RefundDraft>) => checkRefund(order, draft(changes));
  expect(check({})).toEqual({});
  expect(check({ choice: 'amount', amount: '245.50' })).toEqual({});
  expect(check({ choice: 'amount', amount: '245.51' })).toEqual({ amount: 'Only ₹245.50 can still be refunded' });
  expect(check({ choice: 'amount', amount: '0.99' })).toEqual({ amount: 'A refund must be at least ₹1' });
  expect(check({ choice: 'amount', amount: 'ten' })).toEqual({ amount: 'Enter an amount such as 120 or 65.50' });
  expect(check({ choice: 'packs' })).toEqual({ lines: 'Choose at least one pack to refund' });
  expect(check({ reason: ' ' })).toEqual({ reason: 'Reason is required' });
  // A free amount went back before: these packs are more than what is left.
  const short = { ...testOrder, refundableAmount: 100 };
  expect(checkRefund(short, draft({ choice: 'packs', packs: goda }))).toEqual({
    lines: 'Only ₹100.00 can still be refunded',
  });
});

it('only what is chosen is sent, and a free amount never restocks', () => {
  expect(refundInput(testOrder, draft({ restock: true }))).toEqual({ reason: 'Torn', restock: true });
  expect(refundInput(testOrder, draft({ choice: 'packs', packs: goda, restock: false }))).toEqual({
    lines: [{ productId: 'goda-masala', qty_50g: 1, qty_100g: 1 }],
    reason: 'Torn',
    restock: false,
  });
  expect(refundInput(testOrder, draft({ choice: 'amount', amount: '12.5', packs: goda, restock: true }))).toEqual({
    amount: 12.5,
    reason: 'Torn',
    restock: false,
  });
});

it('items of a parcel that has left do not go back into stock by themselves', () => {
  const order = { ...testOrder, events: [] };
  expect(newDraft(order).restock).toBe(true);
  const delivered = { ...order, orderStatus: 'delivered' as const };
  expect(newDraft(delivered).restock).toBe(false);
  // Also if its status was set to another one afterwards.
  const event = testEvent(testOrder.createdAt, 'status_set', { status: 'shipped' });
  const cancelled = { ...order, orderStatus: 'cancelled' as const, events: [event] };
  expect(newDraft(cancelled).restock).toBe(false);
  for (const sent of [delivered, cancelled])
    expect(refundInput(sent, draft({ restock: true }))).toEqual({ reason: 'Torn', restock: true, cameBack: true });
  const lost = { ...delivered, shipment: testShipment('lost') };
  expect(canRestock(lost, draft({}))).toBe(false);
});

it('only packs that the order still holds go back into stock', () => {
  const held = (...counts: number[]) => ({
    ...testOrder,
    items: testOrder.items.map((item, at) => ({ ...item, held: counts[at] ?? 0 })),
  });
  expect(canRestock(testOrder, draft({}))).toBe(true);
  expect(canRestock(testOrder, draft({ choice: 'amount', amount: '5' }))).toBe(false);
  const released = held(0, 0, 0);
  expect(canRestock(released, draft({}))).toBe(false);
  expect(refundInput(released, draft({ restock: true })).restock).toBe(false);
  // The last pack of chai is all that is left of it.
  const chai = held(0, 0, 1);
  expect(canRestock(chai, draft({}))).toBe(true);
  expect(canRestock(chai, draft({ choice: 'packs', packs: goda }))).toBe(false);
});

it('packs that came back with a failed refund do not come back again', () => {
  // One of two came back, and its refund has failed.
  const items = testOrder.items.map((item, at) => ({ ...item, held: at === 0 ? 1 : item.held }));
  const failed = { ...refunded('failed'), items };
  const of = (qty_50g: number) => draft({ choice: 'packs', packs: { 'goda-masala': { qty_50g, qty_100g: 0 } } });
  expect(canRestock(failed, of(1))).toBe(false);
  expect(refundInput(failed, of(1)).restock).toBe(false);
  expect(canRestock(failed, of(2))).toBe(true);
  expect(canRestock({ ...refunded('completed'), items }, of(1))).toBe(true);
});

it('less than one rupee of rest is kept', () => {
  expect([310, 309.5, 310.5, 309.51, null].map((amount) => restAfter(testOrder, amount))).toEqual([0.5, 0, 0, 0.99, 0]);
});

it('a failed refund can be repeated while its packs and its amount are left', () => {
  const lines = [{ productId: 'goda-masala', qty_50g: 2, qty_100g: 0, amount: 130 }];
  const failed = { ...testRefund, _id: 'r2', state: 'failed' as const, amount: 130, lines };
  expect(canRepeat({ ...testOrder, refunds: [failed] }, failed)).toBe(true);
  const after = refunded('completed');
  expect(canRepeat({ ...after, refunds: [failed, ...after.refunds] }, failed)).toBe(false);
  const amount = { ...failed, lines: [] };
  expect(canRepeat({ ...testOrder, refunds: [amount] }, amount)).toBe(true);
  expect(canRepeat({ ...testOrder, refunds: [amount], refundableAmount: 100 }, amount)).toBe(false);
});
