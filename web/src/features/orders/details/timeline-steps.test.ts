import { expect, it } from 'vitest';
import type { OrderShipment, RefundState, ShipmentStatus } from '~/api/types';
import { arrivalText } from '~/shared/order/parcel';
import { refundBadges } from '~/shared/order/refund-state';
import { testEvent, testOrder, testRefund } from '~/testing/order';
import { courierUpdates, timelineSteps } from './timeline-steps';

const steps = (changes: Partial<typeof testOrder>) =>
  timelineSteps({ ...testOrder, ...changes }).map(({ title, hints }) => [title, ...hints]);

const placed = ['Order Placed', '14 Nov 2026, 12:05 pm'];
const paid = testEvent('2026-11-14T06:36:00Z', 'paid', { status: 'confirmed' });

it('steps have the times of their events', () => {
  const shipped = testEvent('2026-11-15T04:00:00Z', 'status_set', { status: 'shipped' });
  expect(steps({ orderStatus: 'shipped', events: [paid, shipped] })).toEqual([
    placed,
    ['Order Confirmed', '14 Nov 2026, 12:06 pm'],
    ['Order Shipped', 'In transit', '15 Nov 2026, 9:30 am'],
    ['Delivery'],
  ]);
  expect(steps({ orderStatus: 'delivered', deliveredAt: '2026-11-17T04:00:00Z', events: [paid] }).at(-1)).toEqual([
    'Order Delivered',
    '17 Nov 2026, 9:30 am',
  ]);
});

it('an order without events has the steps of the specification', () => {
  expect(steps({ orderStatus: 'shipped' })).toEqual([
    placed,
    ['Order Confirmed'],
    ['Order Shipped', 'In transit'],
    ['Delivery'],
  ]);
  expect(steps({ orderStatus: 'N/A' })).toEqual([
    placed,
    ['Delivery Partner Not Integrated', 'Delivery service will be available soon'],
  ]);
});

it('cancelled and refund steps are beside the others', () => {
  const cancelled = testEvent('2026-11-14T08:00:00Z', 'cancelled_by_customer', { status: 'cancelled', by: 'customer' });
  const refunds = [{ ...testRefund, amount: 310.5, state: 'pending' as const, createdAt: '2026-11-14T08:00:00Z' }];
  expect(steps({ orderStatus: 'cancelled', events: [paid, cancelled], refunds })).toEqual([
    placed,
    ['Order Confirmed', '14 Nov 2026, 12:06 pm'],
    ['Order Cancelled', 'By you', '14 Nov 2026, 1:30 pm'],
    ['Refund of ₹310.50', 'On its way', '14 Nov 2026, 1:30 pm'],
  ]);
});

it('all steps are sorted by time, and a repeated refund is one step', () => {
  const failed = { ...testRefund, _id: 'r0', state: 'failed' as const };
  const events = [paid, testEvent('2026-11-18T04:00:00Z', 'problem_reported')];
  expect(
    steps({
      orderStatus: 'delivered',
      deliveredAt: '2026-11-17T04:00:00Z',
      events,
      refunds: [failed, { ...testRefund, retryOf: 'r0' }],
    }).map(([title]) => title),
  ).toEqual(['Order Placed', 'Order Confirmed', 'Refund of ₹65.00', 'Order Delivered', 'Problem Reported']);
});

const scan = (at: string, status: ShipmentStatus, text: string, place: string) => ({ at, status, text, place });
const parcel: OrderShipment = {
  courier: 'Delhivery',
  trackingNumber: '1',
  trackingUrl: '',
  status: 'delivered',
  expectedBy: null,
  events: [
    scan('2026-11-16T04:00:00Z', 'in_transit', 'Bag received at hub', 'Nagpur Hub'),
    scan('2026-11-17T02:00:00Z', 'out_for_delivery', 'Out for delivery', 'Pune'),
    scan('2026-11-17T04:00:00Z', 'delivered', 'Delivered to consignee', 'Pune'),
  ],
};
const sent = testEvent('2026-11-15T04:00:00Z', 'status_set', { status: 'shipped' });

it('of the scans only those that matter are between the steps; the courier has a list of all, the newest first', () => {
  const deliveredAt = '2026-11-17T04:00:05Z';
  expect(steps({ orderStatus: 'delivered', deliveredAt, events: [paid, sent], shipment: parcel }).slice(2)).toEqual([
    ['Out for delivery', 'Pune', '17 Nov 2026, 7:30 am'],
    ['Order Delivered', 'Pune', '17 Nov 2026, 9:30 am'],
  ]);
  expect(courierUpdates({ shipment: parcel }).map(({ title, hints }) => [title, ...hints])).toEqual([
    ['Delivered', 'Delivered to consignee', 'Pune', '17 Nov 2026, 9:30 am'],
    ['Out for delivery', 'Pune', '17 Nov 2026, 7:30 am'],
    ['In transit', 'Bag received at hub', 'Nagpur Hub', '16 Nov 2026, 9:30 am'],
  ]);
});

it('what is still to come is at the end, unless the order ended otherwise', () => {
  const coming = (changes: Partial<typeof testOrder>) =>
    timelineSteps({ ...testOrder, ...changes }).flatMap(({ kind, title, hints }) =>
      kind === 'coming' ? [[title, ...hints]] : [],
    );
  expect(coming({ paymentStatus: 'pending', orderStatus: 'pending' })).toEqual([
    ['Confirmation'],
    ['Shipping'],
    ['Delivery'],
  ]);
  expect(coming({})).toEqual([['Shipping'], ['Delivery']]);
  const shipment = { ...parcel, status: 'in_transit' as const, expectedBy: '2026-11-20' };
  expect(coming({ orderStatus: 'shipped', shipment })).toEqual([['Delivery', 'Expected by Fri 20 Nov']]);
  expect(coming({ orderStatus: 'shipped', shipment: { ...parcel, status: 'returning' } })).toEqual([]);
  for (const orderStatus of ['delivered', 'cancelled', 'N/A'] as const) expect(coming({ orderStatus })).toEqual([]);
  expect(coming({ orderStatus: 'pending', paymentStatus: 'failed' })).toEqual([]);
});

it('a parcel that is out for delivery arrives today, as long as it is that day in India', () => {
  const out = {
    ...parcel,
    status: 'out_for_delivery' as const,
    expectedBy: '2026-11-20',
    events: parcel.events.slice(0, 2),
  };
  expect(arrivalText(out, Date.parse('2026-11-17T18:29:00Z'))).toBe('Arriving today');
  expect(arrivalText(out, Date.parse('2026-11-17T18:31:00Z'))).toBe('Expected by Fri 20 Nov');
  expect(arrivalText({ ...out, expectedBy: null }, Date.parse('2026-11-18T18:31:00Z'))).toBe('');
  expect(arrivalText(parcel, Date.parse('2026-11-17T18:29:00Z'))).toBe('');
});

it('an order says beside its payment what went back', () => {
  const labels = (...states: RefundState[]) =>
    refundBadges(states.map((state, at) => ({ ...testRefund, _id: `r${at}`, state }))).map(({ label }) => label);
  expect(labels()).toEqual([]);
  expect(labels('completed', 'completed')).toEqual(['Refunded ₹130.00']);
  expect(labels('requested')).toEqual(['Refund on its way']);
  expect(labels('completed', 'pending')).toEqual(['Refunded ₹65.00', 'Refund on its way']);
  expect(labels('failed')).toEqual(['Refund delayed']);
  const repeated = [
    { ...testRefund, _id: 'r0', state: 'failed' as const },
    { ...testRefund, retryOf: 'r0' },
  ];
  expect(refundBadges(repeated).map(({ label }) => label)).toEqual(['Refunded ₹65.00']);
});
