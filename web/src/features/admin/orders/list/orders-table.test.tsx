// @vitest-environment happy-dom
// The table of orders with what belongs to it, on a small server of its own. Focus, layout and typing are in web/e2e.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { AuditEntry, Order, OrderIssue, OrderStatus, Reservation } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { OrdersSection } from './orders-section';

const STATUSES: OrderStatus[] = ['confirmed', 'pending', 'shipped', 'delivered', 'cancelled', 'N/A'];
const orderId = (index: number) => `0199f1c4-aaaa-7bbb-8ccc-${String(index).padStart(12, '0')}`;
const manyOrders = (count: number): Order[] =>
  Array.from({ length: count }, (_, index) => ({
    ...testOrder,
    _id: orderId(index + 1),
    userId: `0199f1c4-0000-7bbb-8ccc-00000000${9000 + index}`,
    orderStatus: STATUSES[index % STATUSES.length] as OrderStatus,
    totalAmount: 420 + index * 37.5,
    refundableAmount: 420 + index * 37.5,
  }));

const issue = (id: string, kind: string, orderDeleted = false): OrderIssue => ({
  _id: id,
  orderId: orderId(4),
  kind,
  about: 'M0199f1c4aaaa7bbb8ccc000000000004',
  detail: 'The gateway refused.',
  createdAt: '2026-11-14T06:35:00Z',
  orderDeleted,
  group: 'issues',
});
const reservation = (index: number, more: Partial<Reservation> = {}): Reservation => ({
  orderId: orderId(index),
  customerName: 'Asha Kulkarni',
  customerEmail: 'asha@example.com',
  packs: 18_047,
  grams: 1_353_525,
  totalAmount: 1_895_410,
  createdAt: '2026-11-14T06:35:00Z',
  reservedUntil: '2026-11-14T06:50:00Z',
  ...more,
});

/** The API always sends one; the page does not rely on it. */
const noAddress = null as unknown as Order['deliveryAddress'];

/** A promise that the test resolves. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

type Server = {
  orders: Order[];
  issues: OrderIssue[];
  reserved: Reservation[];
  entries: AuditEntry[];
  /** Calls that begin so are answered with this. */
  reject: Record<string, unknown>;
};

function open(url = '/admins?section=orders', changes: Partial<Server> = {}) {
  const server: Server = { orders: manyOrders(23), issues: [], reserved: [], entries: [], reject: {}, ...changes };
  const answer = (respond: (request: MockRequest) => unknown) => async (request: MockRequest) => {
    const rejection = Object.entries(server.reject).find(([start]) => request.call.startsWith(start))?.[1];
    return (typeof rejection === 'function' ? await rejection() : rejection) ?? respond(request);
  };
  const list = answer(({ call }) => {
    const query = new URL(call.slice(4), 'http://shop').searchParams;
    const page = Number(query.get('page'));
    const { orders } = server;
    return {
      orders: orders.slice((page - 1) * 10, page * 10),
      total: orders.length,
      page,
      pages: Math.max(1, Math.ceil(orders.length / 10)),
    };
  });
  const responses: Record<string, unknown> = {
    ...signedIn,
    'GET /api/admin/orders': list,
    'GET /api/admin/concerns': answer(() => ({ concerns: server.issues })),
    'GET /api/admin/reserved-stock': answer(() => ({ orders: server.reserved, more: false })),
    'GET /api/admin/audit': answer(() => ({ entries: server.entries })),
  };
  for (const { _id } of server.orders) {
    responses[`PUT /api/admin/orders/${_id}/status`] = answer(({ body }) => {
      const { orderStatus } = body as { orderStatus: OrderStatus };
      server.orders = server.orders.map((each) => (each._id === _id ? { ...each, orderStatus } : each));
      return { order: server.orders.find((each) => each._id === _id) };
    });
    responses[`DELETE /api/admin/orders/${_id}`] = answer(() => {
      server.orders = server.orders.filter((each) => each._id !== _id);
      return { success: true };
    });
    responses[`POST /api/admin/orders/${_id}/release`] = answer(() => {
      server.reserved = server.reserved.filter((each) => each.orderId !== _id);
      return { order: server.orders.find((each) => each._id === _id) };
    });
  }
  for (const { _id } of server.issues)
    responses[`PUT /api/admin/concerns/${_id}/settle`] = answer(() => {
      server.issues = server.issues.filter((each) => each._id !== _id);
      return { success: true };
    });
  const requests = mockApi(responses);
  const lists = () => requests.filter(({ call }) => call.startsWith('GET /api/admin/orders?')).map(({ call }) => call);
  return { ...renderApp(<OrdersSection />, url), server, requests, lists };
}

const orderRow = (id: string) => within(screen.getByRole('row', { name: `Order ${id}` }));
const statusOf = (id: string) => orderRow(id).getAllByRole('cell')[2]?.textContent;
const rows = () => screen.getAllByRole('row', { name: /^Order \d+$/ });
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const toasts = () => screen.getByTestId('toasts').textContent;

it('has its columns, ten orders a page, Previous and Next, Page X of Y', async () => {
  const { user, lists, unmount } = open();
  await waitFor(() => expect(rows()).toHaveLength(10));
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Order ID',
    'User ID',
    'Total Amount',
    'Status',
    'Payment',
    'Created At',
    'Details',
    'Update Status',
    'Delete',
  ]);
  expect(lists().at(-1)).toContain('limit=10');
  const words = rows()[0]?.textContent;
  for (const word of [
    '00000001',
    '₹420.00',
    'Confirmed',
    'Completed',
    'Sat 14 Nov 2026, 12:05 pm IST',
    'Show',
    'Update',
  ])
    expect(words).toContain(word);
  screen.getByText('Page 1 of 3');
  expect(button('Previous').disabled).toBe(true);
  await user.click(button('Next'));
  await screen.findByText('Page 2 of 3');
  await user.click(button('Next'));
  await screen.findByText('Page 3 of 3');
  await waitFor(() => expect(rows()).toHaveLength(3));
  expect(button('Next').disabled).toBe(true);
  unmount();
  open(window.location.pathname + window.location.search);
  await screen.findByText('Page 3 of 3');
});

it('has all filters in the URL, in the request and in the export; Reset', async () => {
  const { user, lists } = open();
  const status = screen.getByLabelText<HTMLSelectElement>('Status');
  expect([...status.options].map(({ text }) => text)).toEqual([
    'All',
    'Pending',
    'Confirmed',
    'Shipped',
    'Delivered',
    'Cancelled',
    'N/A',
  ]);
  await user.selectOptions(status, 'N/A');
  await user.type(screen.getByLabelText('Order ID'), '8ccc');
  await waitFor(() => expect(window.location.search).toContain('orderId=8ccc'));
  await user.type(screen.getByLabelText('User ID'), '0199');
  await waitFor(() => expect(window.location.search).toContain('userId=0199'));
  await user.type(screen.getByLabelText('From date'), '2026-11-01');
  await user.type(screen.getByLabelText('To date'), '2026-11-30');
  const query = 'status=N%2FA&orderId=8ccc&userId=0199&from=2026-11-01&to=2026-11-30';
  await waitFor(() => expect(window.location.search).toBe(`?section=orders&${query}`));
  await waitFor(() => expect(lists().at(-1)).toBe(`GET /api/admin/orders?${query}&page=1&limit=10`));
  expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
    `/api/admin/orders/export.csv?${query}`,
  );
  await user.click(button('Reset'));
  expect(screen.getByLabelText<HTMLInputElement>('Order ID').value).toBe('');
  expect(window.location.search).toBe('?section=orders');
  await screen.findByText('Page 1 of 3');
});

it("has details: name × quantity @ price each or 'No items'; the address or 'No address info'", async () => {
  const [first, second] = manyOrders(2) as [Order, Order];
  const { user } = open(undefined, { orders: [first, { ...second, items: [], deliveryAddress: noAddress }] });
  await user.click(await screen.findByRole('button', { name: 'Show details of order 00000001' }));
  screen.getByText('Goda Masala (50 g) × 2 @ ₹65 each');
  screen.getByText('Goda Masala (100 g) × 1 @ ₹120 each');
  const details = screen.getByRole('table').textContent;
  for (const word of ['Asha Kulkarni', '+91 98765 43210', '12 Laxmi Road', 'Pune, Maharashtra 411030'])
    expect(details).toContain(word);
  await user.click(button('Show details of order 00000002'));
  screen.getByText('No items');
  screen.getByText('No address info');
  await user.click(button('Hide details of order 00000001'));
  expect(screen.queryByText(/Goda Masala \(50 g\) × 2/)).toBeNull();
});

it("updates a status: only when the value differs, 'Updating...' while saving, then the row changes", async () => {
  const { user, server } = open(undefined, { orders: manyOrders(2) });
  await screen.findByRole('row', { name: 'Order 00000001' });
  const update = () => orderRow('00000001').getByRole<HTMLButtonElement>('button', { name: /Updat/ });
  expect(update().disabled).toBe(true);
  const { open: respond, opened } = gate();
  server.reject = { 'PUT ': () => opened.then(() => errorStatus(409, 'order_changed', 'The parcel has left')) };
  await user.selectOptions(screen.getByLabelText('New status of order 00000001'), 'delivered');
  await user.click(update());
  expect(update().textContent).toBe('Updating...');
  expect(update().getAttribute('aria-disabled')).toBe('true');
  respond();
  await waitFor(() => expect(toasts()).toContain('The parcel has left'));
  server.reject = {};
  await waitFor(() => expect(update().getAttribute('aria-disabled')).toBeNull());
  await user.click(update());
  await waitFor(() => expect(toasts()).toContain('Order status updated!'));
  await waitFor(() => expect(statusOf('00000001')).toBe('Delivered'));
  expect(update().disabled).toBe(true);
});

it("asks 'Are you sure you want to delete this order?' and removes the row; 'Order deleted!'", async () => {
  const { user, server } = open('/admins?section=orders&page=2', { orders: manyOrders(11) });
  const ask = async () => {
    await user.click(await screen.findByRole('button', { name: 'Delete order 00000011' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Are you sure you want to delete this order?' }));
    const reason = dialog.queryByLabelText(/Why the money is kept/);
    if (reason) await user.type(reason, 'Sold at the market');
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
  };
  server.reject = { DELETE: errorStatus(500, 'internal', '') };
  await ask();
  await waitFor(() => expect(toasts()).toContain('Failed to delete order'));
  server.reject = {};
  if (screen.queryByRole('dialog')) await user.keyboard('{Escape}');
  await ask();
  await waitFor(() => expect(toasts()).toContain('Order deleted!'));
  await screen.findByText('Page 1 of 1');
  await waitFor(() => expect(rows()).toHaveLength(10));
  expect(server.orders.map(({ _id }) => _id)).not.toContain(orderId(11));
});

it("shows 'Loading orders...', the error text, 'No orders found.'; Export CSV is disabled without rows", async () => {
  const { open: respond, opened } = gate();
  const { user, server } = open(undefined, {
    orders: [],
    reject: { 'GET /api/admin/orders': () => opened.then(() => errorStatus(500, 'internal', 'The ledger is closed')) },
  });
  screen.getByText('Loading orders...');
  respond();
  await screen.findByText('The ledger is closed');
  server.reject = { 'GET /api/admin/orders': errorStatus(500, 'internal', '') };
  await user.click(button('Try again'));
  await screen.findByText('Failed to fetch orders');
  server.reject = {};
  await user.click(button('Try again'));
  await screen.findByText('No orders found.');
  expect(button('Export CSV').disabled).toBe(true);
});

it("labels open issues under 'Needs a person', which disappears when they are resolved", async () => {
  const { user } = open(undefined, { issues: [issue('c1', 'amount mismatch'), issue('c2', 'refund', true)] });
  const panel = within(await screen.findByRole('region', { name: /^Needs a person/ }));
  const headlines = panel.getAllByRole('listitem').map((item) => item.querySelector('p')?.textContent);
  expect(headlines[0]).toBe('Amount mismatch00000004Sat 14 Nov 2026, 12:05 pm IST');
  expect(headlines[1]).toMatch(/^Refund00000004 \(deleted\)Sat 14 Nov 2026/);
  expect(panel.queryByText(/M0199f1c4/)).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Show deleted order 00000004' }));
  expect(window.location.search).toContain('deleted=true');
  screen.getByRole('heading', { name: /^Deleted orders/, level: 1 });
  await user.click(panel.getByRole('button', { name: 'Show order 00000004' }));
  expect(window.location.search).toBe(`?section=orders&orderId=${orderId(4)}`);
  await user.click(panel.getByRole('button', { name: 'Settled: Refund, order 00000004' }));
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(1));
  await user.click(panel.getByRole('button', { name: 'Settled: Amount mismatch, order 00000004' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: /^Needs a person/ })).toBeNull());
});

it('stock reserved by unpaid orders: who holds how much until when, and Release', async () => {
  const { open: respond, opened } = gate();
  const { user, server, requests } = open(undefined, {
    reserved: [reservation(2), reservation(8, { customerName: 'Ravi', packs: 1, grams: 50, totalAmount: 65.5 })],
    reject: {
      'GET /api/admin/reserved-stock': () => opened.then(() => errorStatus(500, 'internal', 'The ledger is closed')),
    },
  });
  const name = /^Stock reserved by unpaid orders/;
  expect(screen.queryByRole('region', { name })).toBeNull();
  respond();
  const panel = within(await screen.findByRole('region', { name }));
  panel.getByText('The ledger is closed');
  server.reject = {};
  await user.click(panel.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(2));
  const [first, second] = panel.getAllByRole('listitem').map(({ textContent }) => textContent);
  for (const word of ['Asha Kulkarni', 'asha@example.com', '18,047 packs', '1,353.53 kg', '₹18,95,410.00', '12:20 pm'])
    expect(first).toContain(word);
  expect(second).toContain('1 pack · 50 g · ₹65.50');
  server.reject = { POST: errorStatus(409, 'conflict', 'This order no longer reserves stock.') };
  await user.click(button('Release the stock of order 00000002'));
  await waitFor(() => expect(toasts()).toContain('This order no longer reserves stock.'));
  server.reject = {};
  await waitFor(() => expect(button('Release the stock of order 00000002').disabled).toBe(false));
  await user.click(button('Release the stock of order 00000002'));
  await waitFor(() => expect(toasts()).toContain('Stock released!'));
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(1));
  await user.click(button('Release the stock of order 00000008'));
  await waitFor(() => expect(screen.queryByRole('region', { name })).toBeNull());
  expect(requests.filter(({ call }) => call === `POST /api/admin/orders/${orderId(8)}/release`)).toHaveLength(1);
});

it('audit log: who changed what and when, loaded when it is opened, and again after a change', async () => {
  const { open: respond, opened } = gate();
  const { user, server, requests } = open(undefined, {
    orders: manyOrders(1),
    reject: { 'GET /api/admin/audit': () => opened.then(() => errorStatus(500, 'internal', 'The ledger is closed')) },
  });
  await user.click(await screen.findByRole('button', { name: 'Show details of order 00000001' }));
  const log = within(screen.getByRole('region', { name: 'Audit log' }));
  const asked = () => requests.filter(({ call }) => call.startsWith('GET /api/admin/audit'));
  expect(log.getByRole('button', { name: 'Audit log' }).getAttribute('aria-expanded')).toBe('false');
  expect(asked()).toEqual([]);
  await user.click(log.getByRole('button', { name: 'Audit log' }));
  log.getByText('Loading history...');
  respond();
  await log.findByText('The ledger is closed');
  server.reject = {};
  await user.click(log.getByRole('button', { name: 'Try again' }));
  await log.findByText('Nobody has changed anything here yet.');
  expect(asked().at(-1)?.call).toContain(`about=${orderId(1)}`);
  const who = 'meera@mirasa.example';
  server.entries = [
    { at: '2026-11-14T06:35:00Z', who, action: 'order status', detail: 'confirmed to shipped' },
    { at: '2026-11-13T06:35:00Z', who, action: 'order status', detail: 'pending to confirmed' },
  ];
  await user.selectOptions(screen.getByLabelText('New status of order 00000001'), 'shipped');
  await user.click(button('Update'));
  await waitFor(() =>
    expect(log.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      `Order status: confirmed to shippedSat 14 Nov 2026, 12:05 pm IST · ${who}`,
      `Order status: pending to confirmedFri 13 Nov 2026, 12:05 pm IST · ${who}`,
    ]),
  );
  await user.click(log.getByRole('button', { name: 'Audit log' }));
  expect(log.queryAllByRole('listitem')).toEqual([]);
});

it('selected orders get a new status at once; what fails stays selected', async () => {
  const { user, server, requests } = open(undefined, { orders: manyOrders(4) });
  await user.click(await screen.findByRole('checkbox', { name: 'Select order 00000001' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select order 00000002' }));
  const bar = () => within(screen.getByRole('region', { name: 'Selected orders' }));
  bar().getByText('2 orders selected');
  expect(bar().getByRole<HTMLButtonElement>('button', { name: 'Update all' }).disabled).toBe(true);
  await user.selectOptions(bar().getByRole('combobox'), 'shipped');
  await user.click(bar().getByRole('button', { name: 'Update all' }));
  await waitFor(() => expect(toasts()).toContain('Status of 2 orders updated!'));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected orders' })).toBeNull());
  const updates = requests.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body);
  expect(updates).toMatchObject([{ orderStatus: 'shipped' }, { orderStatus: 'shipped' }]);
  expect(screen.getAllByText('Shipped', { selector: 'td *' }).length).toBeGreaterThanOrEqual(3);

  server.reject = { PUT: errorStatus(409, 'order_changed', 'The parcel has left') };
  await user.click(screen.getByRole('checkbox', { name: 'Select all orders of this page' }));
  bar().getByText('4 orders selected');
  await user.selectOptions(bar().getByRole('combobox'), 'delivered');
  await user.click(bar().getByRole('button', { name: 'Update all' }));
  await waitFor(() => expect(toasts()).toContain('4 orders not updated: The parcel has left'));
  bar().getByText('4 orders selected');
  await user.click(bar().getByRole('button', { name: 'Clear' }));
  expect(screen.queryByRole('region', { name: 'Selected orders' })).toBeNull();
});
