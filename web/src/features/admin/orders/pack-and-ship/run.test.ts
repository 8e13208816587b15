import { expect, test } from 'vitest';
import type { OrderToPackAndShip } from '~/api/types';
import { testOrder } from '~/testing/order';
import { inGroups, outcomeOf, papersUrl } from './run';

const row = (_id: string, more: Partial<OrderToPackAndShip> = {}): OrderToPackAndShip => ({
  order: { ...testOrder, _id },
  stage: 'book',
  items: [],
  weightGrams: 270,
  problem: null,
  shipmentId: 's1',
  error: null,
  courier: '',
  cost: null,
  ...more,
});

test('an order is in the file, on its way into it, or left out with a reason and what can be done', () => {
  const rows = [
    row('booking'),
    row('booked', { stage: 'print' }),
    row('failed', { error: 'No courier serves 744101' }),
  ];
  const refused = [
    { orderId: 'old', code: 'batch_too_old', message: 'No batch has enough.' },
    { orderId: 'gone', code: 'order_not_packable', message: 'It is cancelled.' },
  ];
  const outcome = outcomeOf({ orders: ['booked', 'printed', 'booking', 'failed'], refused }, rows);
  expect(outcome.ready).toEqual(['booked', 'printed']);
  expect(outcome.booking).toBe(1);
  expect(outcome.leftOut.map(({ orderId, reason, to }) => [orderId, reason, to])).toEqual([
    ['old', 'No batch has enough.', '/admins?section=stock&show=batches'],
    ['gone', 'It is cancelled.', '/admins?section=orders&orderId=gone'],
    ['failed', 'No courier serves 744101', '/admins?section=shipments&group=preparing'],
  ]);
  expect(outcome.leftOut.map(({ row }) => row?.order._id)).toEqual([undefined, undefined, 'failed']);
});

test('the file has the orders of the run', () => {
  expect(papersUrl(['a', 'b'])).toBe('/api/admin/pack-and-ship/papers.pdf?orders=a,b');
  expect(inGroups([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});
