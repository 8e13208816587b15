// @vitest-environment happy-dom
// What the page after a payment says. The way there from the gateway is in web/e2e.
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Order } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp, Status, signedIn } from '~/testing/render';
import { matchRoute } from '../../routing/routes';
import PaymentResultPage from './payment-result-page';

const LOOKUP = 'GET /api/payment/order/db/MIR-TEST-1';
const found = (changes: Partial<Order> = {}) => ({ success: true, message: 'ok', order: { ...testOrder, ...changes } });
const failed = { paymentStatus: 'failed', orderStatus: 'cancelled', refundableAmount: 0 } as const;
const pending = { paymentStatus: 'pending', orderStatus: 'pending' } as const;

function open(responses: Record<string, unknown>, url = '/payment/status?merchantOrderId=MIR-TEST-1') {
  const requests = mockApi({ ...signedIn, ...responses });
  return { ...renderApp(<PaymentResultPage />, url), requests };
}

const linkTo = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

afterEach(() => vi.useRealTimers());

it.each(['/payment/status', '/api/payment/redirect'])(
  '%s: success shows merchant order id, ordered products, total and both buttons',
  async (path) => {
    expect(matchRoute(path).route.page).toBe('payment-result');
    open({ [LOOKUP]: found() }, `${path}?merchantOrderId=MIR-TEST-1`);
    await screen.findByText('Payment successful! Your order has been confirmed.');
    screen.getByText('Merchant order id: MIR-TEST-1');
    screen.getByText('Goda Masala');
    screen.getByText('Chai Masala');
    screen.getByText('₹310.50');
    expect(linkTo('Continue Shopping')).toBe('/');
    expect(linkTo('View Orders')).toBe('/orders');
    expect(screen.queryByRole('button', { name: 'Pay again' })).toBeNull();
  },
);

it('success: tells the day on which the order arrives, where the courier knows it', async () => {
  open({
    [LOOKUP]: found(),
    'GET /api/pincode/411030': { Status: 'Success', delivery: { serviceable: true, by: '2026-11-21' } },
  });
  await screen.findByText('Delivery by Sat 21 Nov');
});

it('pending: asks again every 3 seconds until the status changes, and no more then', async () => {
  vi.useFakeTimers();
  const responses = [found(pending), found(pending), found()];
  const { requests } = open({ [LOOKUP]: () => responses.shift() });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const asked = () => requests.filter(({ call }) => call === LOOKUP).length;
  await pass(50);
  screen.getByText('Payment pending...');
  screen.getByText(/Please do not pay a second time\./);
  expect(linkTo('See this order')).toBe(`/orders?order=${testOrder._id}`);
  expect(screen.queryByRole('link', { name: 'View Orders' })).toBeNull();
  expect(asked()).toBe(1);
  await pass(3000);
  expect(asked()).toBe(2);
  await pass(2900);
  expect(asked()).toBe(2);
  await pass(200);
  expect(asked()).toBe(3);
  screen.getByText('Payment successful! Your order has been confirmed.');
  await pass(10_000);
  expect(asked()).toBe(3);
});

it("failed: the provider's message or 'Payment failed. Please try again.', and Pay again", async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  const plain = open({ [LOOKUP]: found(failed) });
  await screen.findByText('Payment failed. Please try again.');
  expect(screen.queryByRole('link', { name: 'View Orders' })).toBeNull();
  plain.unmount();
  const { user } = open({
    [LOOKUP]: found({ ...failed, paymentDetails: { errorMessage: 'Your bank said no' } }),
    [`POST /api/user/orders/${testOrder._id}/pay-again`]: { redirectUrl: '/paid-again', merchantOrderId: 'M2' },
  });
  await screen.findByText('Your bank said no');
  const again = screen.getByRole('button', { name: 'Pay again' });
  const isFirst = again.compareDocumentPosition(screen.getByText('Goda Masala')) & Node.DOCUMENT_POSITION_FOLLOWING;
  expect(isFirst, 'above the items').toBeTruthy();
  await user.click(again);
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/paid-again'));
  assign.mockRestore();
});

it("'Invalid payment session' without merchantOrderId", async () => {
  open({}, '/payment/status');
  await screen.findByText('Invalid payment session');
});

it("'Could not fetch order' when the lookup fails, and a way to try again", async () => {
  let response: unknown = () => {
    throw new TypeError('Failed to fetch');
  };
  const { user } = open({ [LOOKUP]: () => (typeof response === 'function' ? response() : response) });
  await screen.findByText('Could not fetch order');
  response = errorStatus(404, 'order_not_found', 'No such order');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No such order');
  response = new Status(200, found());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Payment successful! Your order has been confirmed.');
});
