// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Order } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { OrdersView } from '../orders-view';

const shop = { supportPhone: '+91 20 5550 0142', supportEmail: 'care@mirasa.example' };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

function open(first: Order, responses: Record<string, unknown> = {}) {
  const state = { order: first };
  const requests = mockApi({
    ...signedIn,
    'GET /api/shop': { shop },
    'GET /api/user/orders': () => ({ orders: [state.order] }),
    [`GET /api/user/orders/${first._id}`]: () => ({ order: state.order }),
    ...responses,
  });
  const view = renderApp(
    <OrdersView openId="" offerBuyAgain={false} onOpen={() => undefined} onClose={() => undefined} />,
  );
  const count = (call: string) => requests.filter((request) => request.call === call).length;
  return { ...view, state, count };
}

const cancelButton = () => screen.findByRole('button', { name: 'Cancel order 0A1B2C3D' });

it('asks, cancels, and shows the order as it is then', async () => {
  const order = { ...testOrder, cancellableUntil: inAnHour() };
  const cancelled = { ...order, orderStatus: 'cancelled' as const, cancellableUntil: null };
  const { user, state, count } = open(order, {
    [`POST /api/user/orders/${order._id}/cancel`]: () => {
      state.order = cancelled;
      return { order: cancelled };
    },
  });
  await user.click(await cancelButton());
  const dialog = screen.getByRole('dialog', { name: 'Cancel order #0A1B2C3D?' });
  within(dialog).getByText('₹310.50 goes back to the account you paid from, within 3-5 days.');
  await user.click(within(dialog).getByRole('button', { name: 'Keep the order' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(await cancelButton());
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  await screen.findByText('Cancelled');
  expect(screen.queryByRole('button', { name: /Cancel order/ })).toBeNull();
  expect(count(`POST /api/user/orders/${order._id}/cancel`)).toBe(1);
});

it.each([
  ['order_not_cancellable', 'This order is shipped and can no longer be cancelled.'],
  ['cancellation_period_over', 'This order could be cancelled until 11:59 PM IST on the day it was placed.'],
] as const)(
  'a cancellation that comes too late is explained, and the order is loaded again: %s',
  async (code, text) => {
    const order = { ...testOrder, cancellableUntil: inAnHour() };
    const { user, state, count } = open(order, {
      [`POST /api/user/orders/${order._id}/cancel`]: () => {
        state.order = { ...order, orderStatus: 'shipped', cancellableUntil: null };
        return errorStatus(409, code, text);
      },
    });
    await user.click(await cancelButton());
    await user.click(screen.getByRole('button', { name: 'Cancel order' }));
    const dialog = await screen.findByRole('dialog', { name: 'This order was not cancelled' });
    within(dialog).getByText(text);
    await within(dialog).findByRole('link', { name: shop.supportPhone });
    within(dialog).getByRole('link', { name: 'contact page' });
    expect(within(dialog).queryByRole('button', { name: 'Cancel order' })).toBeNull();
    await screen.findByText('Shipped');
    expect(count('GET /api/user/orders')).toBe(2);
    // The order has changed, and what happened can still be read.
    within(dialog).getByText(text);
  },
);

it('another failure is shown in the question, which stays open', async () => {
  const order = { ...testOrder, cancellableUntil: inAnHour() };
  const { user } = open(order, {
    [`POST /api/user/orders/${order._id}/cancel`]: errorStatus(503, 'busy', 'Please try again in a moment.'),
  });
  await user.click(await cancelButton());
  await user.click(screen.getByRole('button', { name: 'Cancel order' }));
  const dialog = screen.getByRole('dialog');
  await within(dialog).findByText('Please try again in a moment.');
  await waitFor(() =>
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Cancel order' }).disabled).toBe(false),
  );
});

it('a packed order is cancelled by a request, which the page shows until it is answered', async () => {
  const order = { ...testOrder, cancellableUntil: inAnHour(), needsCancellationRequest: true };
  const cancellation = {
    requestedAt: '2026-11-14T08:00:00Z',
    dueAt: '2026-11-15T08:00:00Z',
    overdue: false,
    decision: null,
    decidedAt: null,
    decidedBy: null,
    message: '',
  };
  const asked: Order = { ...order, cancellableUntil: null, cancellation };
  const { user, state } = open(order, {
    [`POST /api/user/orders/${order._id}/cancel`]: () => {
      state.order = asked;
      return { order: asked };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Ask to cancel order 0A1B2C3D' }));
  const dialog = screen.getByRole('dialog', { name: 'Ask to cancel order #0A1B2C3D?' });
  within(dialog).getByText(/We answer within a day\. If so: ₹310\.50 goes back/);
  await user.click(within(dialog).getByRole('button', { name: 'Ask to cancel' }));
  await screen.findByText('Cancellation requested, we answer within a day.');
  expect(screen.queryByRole('button', { name: /cancel order/ })).toBeNull();
});

it('a declined request says why, and cannot be repeated', async () => {
  const cancellation = {
    requestedAt: '2026-11-14T08:00:00Z',
    dueAt: '2026-11-15T08:00:00Z',
    overdue: false,
    decision: 'declined' as const,
    decidedAt: '2026-11-14T09:00:00Z',
    decidedBy: null,
    message: 'The courier has it already.',
  };
  open({ ...testOrder, needsCancellationRequest: true, cancellation });
  await screen.findByText('We could not cancel this order.');
  screen.getByText('The courier has it already.');
  expect(screen.queryByRole('button', { name: /cancel order/i })).toBeNull();
});
