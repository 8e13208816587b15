// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Order } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { NotPacked } from './not-packed';
import { PackOrders } from './pack-orders';

const PACK = 'PUT /api/admin/orders/packed';
const order = (_id: string): Order => ({
  ...testOrder,
  _id,
  orderStatus: 'confirmed',
  paymentStatus: 'completed',
  packedAt: null,
});
const orders = ['a', 'b', 'c'].map(order);
const open = (shown: Order[]) =>
  renderApp(
    <>
      <PackOrders orders={shown} disabled={false} />
      {shown.map((each) => (
        <section key={each._id} aria-label={each._id}>
          <NotPacked order={each} />
        </section>
      ))}
    </>,
  );

it('packs what can be packed; the others keep their reason', async () => {
  let message = 'Goda Masala for order b: too old.';
  mockApi({
    ...signedIn,
    [PACK]: () => ({
      orders: orders.filter(({ _id }) => _id !== 'b').map((each) => ({ ...each, packedAt: '2026-11-14T06:35:00Z' })),
      notPacked: message ? [{ orderId: 'b', code: 'batch_too_old', message }] : [],
    }),
  });
  const { user } = open(orders);
  await user.click(screen.getByRole('button', { name: 'Mark as packed' }));
  await screen.findByText(/2 orders packed!/);
  const marked = await screen.findByText('Not packed. Goda Masala for order b: too old.');
  expect(marked.closest('section')?.getAttribute('aria-label')).toBe('b');
  expect(screen.getAllByText(/^Not packed/)).toHaveLength(1);

  message = 'Goda Masala for order b: still too old.';
  await user.click(screen.getByRole('button', { name: 'Mark as packed' }));
  await screen.findByText('Not packed. Goda Masala for order b: still too old.');
});

it('one order that cannot be packed is told once: in the list, or in a toast if another admin has changed it', async () => {
  let code: 'batch_too_old' | 'order_changed' = 'batch_too_old';
  mockApi({ ...signedIn, [PACK]: () => errorStatus(409, code, `It is ${code}.`) });
  const { user } = open([order('a')]);
  const toasts = () => screen.getByTestId('toasts').textContent;
  const press = () => user.click(screen.getByRole('button', { name: 'Mark as packed' }));
  await press();
  await screen.findByText('Not packed. It is batch_too_old.');
  expect(toasts()).toBe('');
  code = 'order_changed';
  cleanup();
  open([order('b')]);
  await press();
  await screen.findByText('It is order_changed.');
  expect(screen.queryByText(/^Not packed/)).toBeNull();
});

it('none of several can be packed: each has its own reason', async () => {
  const requests = mockApi({
    ...signedIn,
    [PACK]: ({ body }: MockRequest) => {
      const { orders: ids } = body as { orders: string[] };
      return errorStatus(409, 'batch_too_old', `Order ${ids[0]} is too old.`);
    },
  });
  const { user } = open(orders);
  await user.click(screen.getByRole('button', { name: 'Mark as packed' }));
  await screen.findByText(/3 orders not packed/);
  for (const { _id } of orders) screen.getByText(`Not packed. Order ${_id} is too old.`);
  expect(requests.filter(({ call }) => call === PACK)).toHaveLength(4);
});

it('sends the versions that the page showed, also when it asks about a refunded order', async () => {
  const requests = mockApi({ ...signedIn, [PACK]: { orders: [], notPacked: [] } });
  const refunded = { ...order('b'), version: 8, refundedAmount: 65, refundableAmount: 245.5 };
  const { user } = open([order('a'), refunded]);
  await user.click(screen.getByRole('button', { name: 'Mark as packed' }));
  screen.getByText('Refunded ₹65.00 of ₹310.50.');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Mark as packed' }));
  await vi.waitFor(() => expect(requests.some(({ call }) => call === PACK)).toBe(true));
  expect(requests.find(({ call }) => call === PACK)?.body).toEqual({
    orders: ['a', 'b'],
    seen: [
      { id: 'a', version: 3 },
      { id: 'b', version: 8 },
    ],
    evenIfRefunded: true,
  });
});
