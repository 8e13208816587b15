import { expect, it } from 'vitest';
import { testEvent, testOrder, testRefund } from '~/testing/order';
import { timelineSteps } from './timeline-steps';

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
  ]);
  expect(steps({ orderStatus: 'delivered', deliveredAt: '2026-11-17T04:00:00Z', events: [paid] }).at(-1)).toEqual([
    'Order Delivered',
    '17 Nov 2026, 9:30 am',
  ]);
});

it('an order without events has the steps of the specification', () => {
  expect(steps({ orderStatus: 'shipped' })).toEqual([placed, ['Order Confirmed'], ['Order Shipped', 'In transit']]);
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
  ).toEqual(['Order Placed', 'Order Confirmed', 'Refund of ₹65', 'Order Delivered', 'Problem Reported']);
});

it('the way of the parcel is between the steps, with places and times', () => {
  const shipped = testEvent('2026-11-15T04:00:00Z', 'status_set', { status: 'shipped' });
  const scan = (at: string, status: 'in_transit' | 'delivered', text: string, place: string) => ({
    at,
    status,
    text,
    place,
  });
  const shipment = {
    courier: 'Delhivery',
    trackingNumber: '1',
    trackingUrl: '',
    status: 'delivered' as const,
    expectedBy: null,
    events: [
      scan('2026-11-16T04:00:00Z', 'in_transit', 'Bag received at hub', 'Nagpur Hub'),
      scan('2026-11-17T04:00:00Z', 'delivered', 'Delivered to consignee', 'Pune'),
    ],
  };
  const deliveredAt = '2026-11-17T04:00:05Z';
  expect(steps({ orderStatus: 'delivered', deliveredAt, events: [paid, shipped], shipment }).slice(2)).toEqual([
    ['In transit', 'Bag received at hub', 'Nagpur Hub', '16 Nov 2026, 9:30 am'],
    ['Order Delivered', 'Pune', '17 Nov 2026, 9:30 am'],
  ]);
});
