// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { testOrder, testRefund, testShipment } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { DeleteOrder } from '../details/delete-order';
import { OrdersSection } from './orders-section';

const ID = testOrder._id;
const STATUS = `PUT /api/admin/orders/${ID}/status`;
const LIST = 'GET /api/admin/orders';
const quiet = {
  ...signedIn,
  'GET /api/admin/concerns': { concerns: [] },
  'GET /api/admin/reserved-stock': { orders: [], more: false },
};
const page = (...orders: (typeof testOrder)[]) => ({ orders, total: orders.length, page: 1, pages: 1 });

const choose = async (user: ReturnType<typeof renderApp>['user'], status: string) => {
  await user.selectOptions(await screen.findByLabelText('New status of order 0A1B2C3D'), status);
  await user.click(screen.getByRole('button', { name: 'Update' }));
};

it('sends what the page showed; after a conflict one message, and the list is loaded again', async () => {
  const text = 'Order 0A1B2C3D has changed. Cancelled by the customer at 14:05, ₹310.50 refunded, packs back in stock.';
  const requests = mockApi({ ...quiet, [LIST]: page(testOrder), [STATUS]: errorStatus(409, 'order_changed', text) });
  const { user } = renderApp(<OrdersSection />, '/admins?section=orders');
  await choose(user, 'shipped');
  await screen.findByText(text);
  expect(screen.getAllByText(text)).toHaveLength(1);
  const sent = requests.find(({ call }) => call === STATUS);
  expect(sent?.body).toEqual({ orderStatus: 'shipped', version: 3, seenStatus: 'confirmed' });
  await waitFor(() => expect(requests.filter(({ call }) => call.startsWith(LIST)).length).toBeGreaterThan(1));
});

it('links to both exports', async () => {
  mockApi({ ...quiet, [LIST]: page(testOrder) });
  renderApp(<OrdersSection />, '/admins?section=orders');
  const all = await screen.findByRole('link', { name: 'All columns as CSV' });
  expect(all.textContent).toBe('All columns as CSV');
  expect(all.getAttribute('href')).toMatch(/export\.csv\?.*columns=all/);
  expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).not.toContain('columns');
});

it('asks before a refunded order leaves, and says what was refunded', async () => {
  const refunded = {
    ...testOrder,
    refundedAmount: 310.5,
    refundableAmount: 0,
    refunds: [{ ...testRefund, amount: 310.5 }],
  };
  const order = { ...refunded, orderStatus: 'shipped' as const };
  const requests = mockApi({ ...quiet, [LIST]: page(refunded), [STATUS]: { order } });
  const { user } = renderApp(<OrdersSection />, '/admins?section=orders');
  await choose(user, 'shipped');
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByText('Refunded.');
  expect(requests.some(({ call }) => call === STATUS)).toBe(false);
  await user.click(dialog.getByRole('button', { name: 'Set to shipped' }));
  await screen.findByText('Order status updated!');
  expect(requests.find(({ call }) => call === STATUS)?.body).toMatchObject({ evenIfRefunded: true, version: 3 });
});

it('deleting a paid order needs a reason why the money is kept', async () => {
  const DELETE = `DELETE /api/admin/orders/${ID}`;
  const requests = mockApi({ ...quiet, [DELETE]: { success: true } });
  const { user } = renderApp(
    <DeleteOrder order={testOrder} orders={[testOrder]} onClose={() => {}} />,
    '/admins?section=orders',
  );
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  screen.getByText('Say why, or refund the order first');
  expect(requests.some(({ call }) => call.startsWith('DELETE'))).toBe(false);
  await user.type(screen.getByLabelText(/Why the money is kept/), 'Sold at the market');
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(requests.some(({ call }) => call.startsWith('DELETE'))).toBe(true));
});

it('money that is kept needs a reason', async () => {
  const issue = {
    _id: 'c1',
    orderId: ID,
    kind: 'paid, cancelled, not refunded',
    about: ID,
    detail: '₹310.50 were paid and not refunded, and the order is cancelled.',
    createdAt: '2026-11-14T06:35:00Z',
    orderDeleted: false,
  };
  const SETTLE = 'PUT /api/admin/concerns/c1/settle';
  const requests = mockApi({
    ...quiet,
    'GET /api/admin/concerns': { concerns: [issue] },
    [LIST]: page(testOrder),
    [SETTLE]: { success: true },
  });
  const { user } = renderApp(<OrdersSection />, '/admins?section=orders');
  await user.click(await screen.findByRole('button', { name: /^Keep the money: Paid, cancelled/ }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Keep the money' }));
  dialog.getByText('Say why, or refund the order');
  await user.type(dialog.getByLabelText(/Why it is kept/), 'Paid for a class');
  await user.click(dialog.getByRole('button', { name: 'Keep the money' }));
  await waitFor(() =>
    expect(requests.find(({ call }) => call === SETTLE)?.body).toEqual({ reason: 'Paid for a class' }),
  );
  // The order has a new version.
  await waitFor(() => expect(requests.filter(({ call }) => call.startsWith(LIST)).length).toBeGreaterThan(1));
});

it('says that the order was sent, and refunds it with or without restocking', async () => {
  const shipped = { ...testOrder, orderStatus: 'shipped' as const };
  const order = { ...testOrder, orderStatus: 'cancelled' as const };
  for (const [button, body] of [
    ['Refund', { refund: true, restock: false }],
    ['Refund and restock', { refund: true, restock: true, cameBack: true }],
  ] as const) {
    const requests = mockApi({ ...quiet, [LIST]: page(shipped), [STATUS]: { order } });
    const { user, unmount } = renderApp(<OrdersSection />, '/admins?section=orders');
    await choose(user, 'cancelled');
    const dialog = within(screen.getByRole('dialog'));
    dialog.getByText('It is shipped.');
    await user.click(dialog.getByRole('button', { name: button }));
    await waitFor(() =>
      expect(requests.find(({ call }) => call === STATUS)?.body).toEqual({
        ...body,
        orderStatus: 'cancelled',
        version: 3,
        seenStatus: 'shipped',
      }),
    );
    unmount();
  }
});

it('asks again when packs were replaced before, and repeats the request with the answer', async () => {
  const delivered = { ...testOrder, orderStatus: 'delivered' as const };
  const order = { ...testOrder, orderStatus: 'cancelled' as const };
  const text = '1 of these packs was replaced by order EE12AB35 on 2 Nov 2026.';
  const requests = mockApi({
    ...quiet,
    [LIST]: page(delivered),
    [STATUS]: ({ body }: { body: { evenIfRepeated?: boolean } }) =>
      body.evenIfRepeated ? { order } : errorStatus(409, 'problem_repeated', text),
  });
  const { user } = renderApp(<OrdersSection />, '/admins?section=orders');
  await choose(user, 'cancelled');
  await user.click(screen.getByRole('button', { name: 'Refund' }));
  await screen.findByText(text);
  await user.click(screen.getByRole('button', { name: 'Set to cancelled' }));
  await screen.findByText('Order status updated!');
  const sent = requests.filter(({ call }) => call === STATUS).map(({ body }) => body);
  const first = { orderStatus: 'cancelled', refund: true, restock: false, version: 3, seenStatus: 'delivered' };
  expect(sent).toEqual([first, { ...first, evenIfRepeated: true }]);
});

it('does not offer to restock a lost parcel', async () => {
  const lost = { ...testOrder, orderStatus: 'shipped' as const, shipment: testShipment('lost') };
  const order = { ...lost, orderStatus: 'cancelled' as const };
  const requests = mockApi({ ...quiet, [LIST]: page(lost), [STATUS]: { order } });
  const { user } = renderApp(<OrdersSection />, '/admins?section=orders');
  await choose(user, 'cancelled');
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByText('Its parcel is lost: its packs cannot go back into stock.');
  expect(dialog.queryByRole('button', { name: 'Refund and restock' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Refund' }));
  await waitFor(() =>
    expect(requests.find(({ call }) => call === STATUS)?.body).toMatchObject({ refund: true, restock: false }),
  );
});

it('a refund before the deletion is about the order as it is now', async () => {
  const REFUND = `POST /api/admin/orders/${ID}/refunds`;
  let version = 3;
  const requests = mockApi({
    ...quiet,
    [LIST]: () => page({ ...testOrder, version }),
    [REFUND]: () => {
      version = 9;
      return errorStatus(409, 'order_changed', 'Order 0A1B2C3D has changed.');
    },
  });
  const { user } = renderApp(<OrdersSection />, '/admins?section=orders');
  await user.click(await screen.findByRole('button', { name: 'Delete order 0A1B2C3D' }));
  await user.click(screen.getByRole('button', { name: 'Refund first…' }));
  await user.type(screen.getByLabelText(/^Reason/), 'Torn');
  const versions = () => requests.filter(({ call }) => call === REFUND).map(({ body }) => body);
  await user.click(screen.getByRole('button', { name: 'Refund' }));
  await screen.findByText('Order 0A1B2C3D has changed.');
  await waitFor(async () => {
    await user.click(screen.getByRole('button', { name: 'Refund' }));
    expect(versions().at(-1)).toMatchObject({ version: 9 });
  });
});

it.each([
  ['Restore', { ...testOrder, deletedAt: testOrder.createdAt }, `PUT /api/admin/orders/${ID}/restore`],
  ['Mark as packed', testOrder, 'PUT /api/admin/orders/packed'],
])('%s: after an error the list is loaded again', async (button, order, call) => {
  const requests = mockApi({ ...quiet, [LIST]: page(order), [call]: errorStatus(404, 'order_not_found', 'No order') });
  const { user } = renderApp(<OrdersSection />, '/admins?section=orders');
  if (button === 'Mark as packed') await user.click(await screen.findByLabelText('Select order 0A1B2C3D'));
  await user.click(await screen.findByRole('button', { name: new RegExp(`^${button}`) }));
  await screen.findByText('No order');
  await waitFor(() => expect(requests.filter(({ call }) => call.startsWith(LIST)).length).toBeGreaterThan(1));
});
