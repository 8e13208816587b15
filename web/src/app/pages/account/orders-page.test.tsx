// @vitest-environment happy-dom
// What 'My Orders' shows of an order in every state. Back, Escape and focus are in web/e2e.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Order, Problem } from '~/api/types';
import { testEvent, testOrder, testRefund, testShipment } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import OrdersPage from './orders-page';

const shop = { supportPhone: '+91 20 5550 0142', supportEmail: 'care@mirasa.example' };
const [, , chai] = testOrder.items;
const rasam = { ...(chai as NonNullable<typeof chai>), productId: 'rasam-powder', productName: 'Rasam Powder' };
const threeItems: Order = { ...testOrder, totalAmount: 620, items: [...testOrder.items, rasam] };

function open(orders: Order[], url = '/orders', responses: Record<string, unknown> = {}) {
  mockApi({
    ...signedIn,
    'GET /api/shop': { shop },
    'GET /api/user/orders': { orders },
    ...Object.fromEntries(orders.map((order) => [`GET /api/user/orders/${order._id}`, { order }])),
    ...responses,
  });
  return renderApp(<OrdersPage />, url);
}

const isBefore = (one: HTMLElement, other: HTMLElement) =>
  Boolean(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);

const openDetails = (changes: Partial<Order>) => {
  const order = { ...testOrder, ...changes };
  return open([order], `/orders?order=${order._id}`);
};
const details = async () => within(await screen.findByRole('dialog', { name: 'Order #0A1B2C3D' }));

it.each(['/user/dashboard/orders', '/orders'])('%s: id, 2 items, +1 more item(s), 2 decimals', async (path) => {
  open([threeItems], path);
  screen.getByRole('heading', { name: 'My Orders', level: 1 });
  const card = within(await screen.findByRole('article', { name: 'Order 0A1B2C3D' }));
  card.getByText('Order #0A1B2C3D');
  card.getByText('Goda Masala');
  card.getByText('Chai Masala');
  expect(card.queryByText('Rasam Powder')).toBeNull();
  card.getByText('+1 more item(s)');
  card.getByText('₹620.00');
});

it('a card says when the order arrives, as long as it is on its way', async () => {
  const shipment = { ...testShipment('in_transit'), expectedBy: '2026-11-22' };
  const ordered = [
    { ...testOrder, _id: 'a-00000001' },
    { ...testOrder, _id: 'a-00000002', orderStatus: 'shipped' as const, shipment },
    { ...testOrder, _id: 'a-00000003', orderStatus: 'delivered' as const },
  ];
  open(ordered, '/orders', {
    'GET /api/pincode/411030': { Status: 'Success', delivery: { serviceable: true, by: '2026-11-21' } },
  });
  const card = async (id: string) => within(await screen.findByRole('article', { name: `Order ${id}` }));
  await (await card('00000001')).findByText('Delivery by Sat 21 Nov');
  (await card('00000002')).getByText('Expected by Sun 22 Nov');
  expect((await card('00000003')).queryByText(/Delivery by|Expected by|Delivery within/)).toBeNull();
});

it.each([
  ['pending', ['Order Placed']],
  ['confirmed', ['Order Placed', 'Order Confirmed']],
  ['shipped', ['Order Placed', 'Order Confirmed', 'Order Shipped']],
  ['delivered', ['Order Placed', 'Order Confirmed', 'Order Delivered']],
  ['N/A', ['Order Placed', 'Delivery Partner Not Integrated']],
] as const)('the details of an order that is %s: timeline, address, items', async (orderStatus, titles) => {
  const { user } = open([{ ...threeItems, orderStatus }]);
  await user.click(await screen.findByRole('button', { name: 'View Details' }));
  const dialog = await details();
  const timeline = within(dialog.getByText('Timeline').closest('section') as HTMLElement);
  const known = /^(Order (Placed|Confirmed|Shipped|Delivered)|Delivery Partner Not Integrated)/;
  const seen = timeline.getAllByRole('listitem').map(({ textContent }) => known.exec(textContent ?? '')?.[0]);
  expect(seen.filter((title) => title !== undefined)).toEqual(titles);
  dialog.getByText(/12 Laxmi Road/);
  dialog.getByText('Rasam Powder');
  if (orderStatus === 'N/A') dialog.getByText('Delivery service will be available soon');
});

it('a failed order shows why, and can be paid again from the list', async () => {
  const failed: Order = {
    ...testOrder,
    paymentStatus: 'failed',
    orderStatus: 'cancelled',
    paymentDetails: { errorMessage: 'Your bank said no' },
  };
  const { user } = open([failed], `/orders?order=${failed._id}`, {
    [`POST /api/user/orders/${failed._id}/pay-again`]: errorStatus(409, 'insufficient_stock', 'Not enough spice stock'),
  });
  const dialog = await details();
  dialog.getByText('Failed');
  expect(isBefore(dialog.getByRole('button', { name: 'Pay again' }), dialog.getByText('Goda Masala'))).toBe(true);
  expect(isBefore(dialog.getByText('Your bank said no'), dialog.getByText('Timeline'))).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const again = screen.getByRole('button', { name: 'Pay again' });
  expect(isBefore(again, screen.getByText('Goda Masala'))).toBe(true);
  await user.click(again);
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Not enough spice stock'));
});

it('a pending order leads to its payment, before its items', async () => {
  openDetails({ paymentStatus: 'pending', orderStatus: 'pending', merchantOrderId: 'M 1' });
  const dialog = await details();
  const check = dialog.getByRole('link', { name: 'Check payment' });
  expect(check.getAttribute('href')).toBe('/payment/status?merchantOrderId=M%201');
  expect(isBefore(check, dialog.getByText('Goda Masala'))).toBe(true);
  dialog.getByText(/please do not pay again/);
});

it("'Failed to load orders' with a way to try again; none yet", async () => {
  let response: unknown = errorStatus(500, 'internal', 'Something broke');
  const { user } = open([], '/orders', { 'GET /api/user/orders': () => response });
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Failed to load orders'));
  response = { orders: [] };
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No orders yet.');
});

it('a visitor is asked to sign in', async () => {
  open([], '/orders', { 'GET /api/auth/check-auth': { authenticated: false } });
  await screen.findByRole('button', { name: 'Sign in to continue' });
});

/** The last millisecond of the day in India. */
function endOfDay(daysAgo = 0) {
  const offsetMs = 5.5 * 3_600_000;
  const dayMs = 24 * 3_600_000;
  return new Date(Math.ceil((Date.now() + offsetMs) / dayMs - daysAgo) * dayMs - offsetMs - 1).toISOString();
}
const delivered = (until: string, more: Partial<Order> = {}): Partial<Order> => ({
  orderStatus: 'delivered',
  deliveredAt: until,
  reportableUntil: until,
  ...more,
});
const problem: Problem = {
  _id: 'problem-1',
  orderId: testOrder._id,
  message: 'Two pouches were torn at the seam.',
  lines: [{ productId: 'goda-masala', qty_50g: 2, qty_100g: 0 }],
  images: [],
  state: 'open',
  response: '',
  createdAt: '2026-11-16T06:35:00Z',
  resolvedAt: null,
  resolvedBy: null,
  dueAt: '2026-11-19T06:35:00Z',
  refundId: null,
  replacementOrderId: null,
};
const report = () => screen.queryAllByRole('button', { name: /^Report a problem/ });

it('a problem can be reported on the day of delivery', async () => {
  open([{ ...testOrder, ...delivered(endOfDay()) }]);
  await screen.findByText(/You can report it until 11:59 PM IST today, .* left/);
  expect(report()).toHaveLength(1);
});

it('a day later it cannot, and the page says why and how to reach the shop', async () => {
  openDetails(delivered(endOfDay(1)));
  const dialog = await details();
  dialog.getByText(/^A problem with this parcel could be reported until 11:59 PM IST on .*, the day of delivery\.$/);
  dialog.getByRole('link', { name: 'contact page' });
  expect(report()).toEqual([]);
});

it('one problem at a time, and the page says by when the shop answers', async () => {
  openDetails(delivered(endOfDay(), { problems: [problem] }));
  (await details()).getByText(/You hear from us by 19 Nov 2026\./);
  expect(report()).toEqual([]);
});

it('the timeline has the time of every event, in India', async () => {
  openDetails({
    orderStatus: 'delivered',
    createdAt: '2026-11-14T18:29:59Z',
    deliveredAt: '2026-11-16T05:00:00Z',
    reportableUntil: '2026-11-16T18:29:59Z',
    events: [
      testEvent('2026-11-14T18:31:00Z', 'payment_completed', { status: 'confirmed' }),
      testEvent('2026-11-15T04:00:00Z', 'status_changed', { status: 'shipped' }),
      testEvent('2026-11-16T05:00:00Z', 'status_changed', { status: 'delivered' }),
      testEvent('2026-11-16T06:35:00Z', 'problem_reported', { by: 'customer' }),
      testEvent('2026-11-16T08:00:00Z', 'problem_resolved', { text: 'Problem refunded' }),
    ],
    problems: [{ ...problem, state: 'refunded', refundId: 'refund-1' }],
    refunds: [{ ...testRefund, createdAt: '2026-11-16T08:00:00Z', updatedAt: '2026-11-16T09:15:00Z' }],
  });
  const timeline = within((await details()).getByText('Timeline').closest('section') as HTMLElement);
  expect(timeline.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Order Placed14 Nov 2026, 11:59 pm',
    'Order Confirmed15 Nov 2026, 12:01 am',
    'Order Delivered16 Nov 2026, 10:30 am',
    'Problem Reported16 Nov 2026, 12:05 pm',
    'Problem refunded16 Nov 2026, 1:30 pm',
    'Refund of ₹65.00Done16 Nov 2026, 2:45 pm',
  ]);
});

it('a refunded order says so on its card; the scans of its parcel are folded, but for the newest', async () => {
  const scan = (at: string, status: 'in_transit' | 'picked_up', text: string) => ({ at, status, text, place: '' });
  const shipment = {
    courier: 'Delhivery',
    trackingNumber: '1',
    trackingUrl: '',
    status: 'in_transit' as const,
    expectedBy: null,
    events: [
      scan('2026-11-15T04:00:00Z', 'picked_up', 'Taken from the shop'),
      scan('2026-11-16T04:00:00Z', 'in_transit', 'Bag received at hub'),
    ],
  };
  const { user } = open([{ ...testOrder, orderStatus: 'shipped', shipment, refunds: [testRefund] }]);
  const card = within(await screen.findByRole('article'));
  card.getByText('Payment completed');
  card.getByText('Refunded ₹65.00');
  await user.click(card.getByRole('button', { name: 'View Details' }));
  const dialog = await details();
  const folded = dialog.getByText('All courier updates').closest('details') as HTMLDetailsElement;
  expect(folded.open).toBe(false);
  const scans = within(folded).getAllByRole('listitem', { hidden: true });
  expect(scans.map(({ textContent }) => textContent?.slice(0, 12))).toEqual(['In transitBa', 'Picked upTak']);
  expect(dialog.getAllByText('Bag received at hub').filter((one) => !folded.contains(one))).toHaveLength(1);
  dialog.getByText('To come:');
});
