// Specification, sections 2, 4, 8 and 9: the payment result and My Orders. The order
// endpoints are mocked, so that every state can be tested.
import assert from 'node:assert/strict';
import { newCustomer, order, testOnPhone, testOnPhoneAndDesktop } from './customer-fixtures.mjs';
import { eventually, failure, open, openWithFakeClock, test, timeUntil, toast } from './fixtures.mjs';

const LOOKUP = '**/api/payment/order/db/*';

async function withOrders(page, orders) {
  await page.route('**/api/user/orders', (route) => route.fulfill({ json: { orders } }));
  await page.route('**/api/user/orders/*', (route) =>
    route.fulfill({ json: { order: orders.find(({ _id }) => route.request().url().endsWith(_id)) } }),
  );
}
const withPayment = (page, ...responses) => {
  const requests = [];
  return page
    .route(LOOKUP, (route) => {
      requests.push(route.request().url());
      const found = responses[Math.min(requests.length, responses.length) - 1];
      return route.fulfill({ json: { success: true, message: 'ok', order: found } });
    })
    .then(() => requests);
};

for (const path of ['/payment/status', '/api/payment/redirect']) {
  testOnPhoneAndDesktop(
    `${path}: success shows merchant order id, ordered products, total and both buttons`,
    async ({ page }) => {
      await newCustomer(page);
      await withPayment(page, order());
      await open(page, `${path}?merchantOrderId=MIR-TEST-1`);
      await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
      await page.getByText('MIR-TEST-1').waitFor();
      for (const name of ['Goda Masala', 'Chai Masala', 'Rasam Powder']) await page.getByText(name).waitFor();
      await page.getByText('₹620.00').waitFor();
      await eventually(() => page.getByRole('link', { name: 'Continue Shopping' }).getAttribute('href'), '/');
      await eventually(() => page.getByRole('link', { name: 'View Orders' }).getAttribute('href'), '/orders');
      await eventually(() => page.getByRole('button', { name: 'Pay again' }).count(), 0);
    },
  );
}

testOnPhone('Pending: re-checks the order every 3 seconds until the status changes', async ({ page }) => {
  await newCustomer(page);
  const pending = order({ paymentStatus: 'pending', orderStatus: 'pending' });
  const requests = await withPayment(page, pending, pending, order());
  await openWithFakeClock(page, '/payment/status?merchantOrderId=MIR-TEST-1');
  await page.getByText('Payment pending...').waitFor();
  await eventually(() => page.getByRole('link', { name: 'View Orders' }).count(), 0);
  const untilRequested = (times) => timeUntil(page, () => requests.length >= times);
  await untilRequested(2);
  assert.equal(await untilRequested(3), 3000);
  await page.clock.runFor(100);
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  await page.clock.runFor(10_000);
  assert.equal(requests.length, 3, 'and no more once it is known');
});

testOnPhone(
  "Failed: the provider's message or 'Payment failed. Please try again.', and Pay again",
  async ({ page }) => {
    await newCustomer(page);
    const failed = { paymentStatus: 'failed', orderStatus: 'cancelled' };
    await withPayment(page, order(failed));
    await open(page, '/payment/status?merchantOrderId=MIR-TEST-1');
    await page.getByText('Payment failed. Please try again.').waitFor();
    await eventually(() => page.getByRole('link', { name: 'View Orders' }).count(), 0);
    await page.unroute(LOOKUP);
    await withPayment(page, order({ ...failed, paymentDetails: { errorMessage: 'Your bank said no' } }));
    await open(page, '/payment/status?merchantOrderId=MIR-TEST-1');
    await page.getByText('Your bank said no').waitFor();
    await page.route('**/api/user/orders/*/pay-again', (route) =>
      route.fulfill({ json: { redirectUrl: '/about-us?paid-again', merchantOrderId: 'MIR-STORY-2' } }),
    );
    await page.getByRole('button', { name: 'Pay again' }).click();
    await page.waitForURL((url) => url.search === '?paid-again');
  },
);

test(
  "'Invalid payment session' without merchantOrderId; 'Could not fetch order' when the lookup fails",
  async ({ page }) => {
    await open(page, '/payment/status');
    await page.getByText('Invalid payment session').waitFor();
    await newCustomer(page);
    await page.route(LOOKUP, (route) => route.abort());
    await open(page, '/payment/status?merchantOrderId=MIR-TEST-1');
    await page.getByText('Could not fetch order').waitFor();
    await page.unroute(LOOKUP);
    await withPayment(page, order());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  },
  { expected: [/ERR_FAILED/] },
);

testOnPhoneAndDesktop(
  'My Orders: id, 2 items plus +N more item(s), 2 decimals; /orders is the same page',
  async ({ page }) => {
    await newCustomer(page);
    await withOrders(page, [order()]);
    for (const path of ['/user/dashboard/orders', '/orders']) {
      await open(page, path);
      await page.getByRole('heading', { name: 'My Orders', level: 1 }).waitFor();
      const card = page.getByRole('article', { name: 'Order 0A1B2C3D' });
      await card.getByText('Order #0A1B2C3D').waitFor();
      await card.getByText('Goda Masala').waitFor();
      await card.getByText('Chai Masala').waitFor();
      await eventually(() => card.getByText('Rasam Powder').count(), 0);
      await card.getByText('+1 more item(s)').waitFor();
      await card.getByText('₹620.00').waitFor();
    }
  },
);

const titles = [
  'Order Placed',
  'Order Confirmed',
  'Delivery Partner Not Integrated',
  'Order Shipped',
  'Order Delivered',
];
const timelines = {
  pending: ['Order Placed'],
  confirmed: ['Order Placed', 'Order Confirmed'],
  shipped: ['Order Placed', 'Order Confirmed', 'Order Shipped'],
  delivered: ['Order Placed', 'Order Confirmed', 'Order Delivered'],
  'N/A': ['Order Placed', 'Delivery Partner Not Integrated'],
};

testOnPhoneAndDesktop(
  'The details: timeline by status, address, payment, error; Back and Escape close them',
  async ({ page }) => {
    await newCustomer(page);
    for (const [orderStatus, steps] of Object.entries(timelines)) {
      await page.unroute('**/api/user/orders');
      await page.unroute('**/api/user/orders/*');
      await withOrders(page, [order({ orderStatus })]);
      await open(page, '/orders');
      await page.getByRole('button', { name: 'View Details' }).click();
      const dialog = page.getByRole('dialog', { name: 'Order #0A1B2C3D' });
      const seen = async () =>
        (await dialog.locator('ol li').allInnerTexts())
          .map((text) => text.split('\n')[0])
          .filter((text) => titles.includes(text));
      await eventually(seen, steps, orderStatus);
      await dialog.getByText('12 Laxmi Road').waitFor();
      await dialog.getByText('Rasam Powder', { exact: true }).waitFor();
      if (orderStatus === 'N/A') await dialog.getByText('Delivery service will be available soon').waitFor();
      if (orderStatus === 'pending') await page.goBack();
      else await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await eventually(() => new URL(page.url()).search, '');
    }
  },
);

testOnPhone(
  'A failed order shows why, and can be paid again from the list',
  async ({ page }) => {
    await newCustomer(page);
    const failed = order({
      paymentStatus: 'failed',
      orderStatus: 'cancelled',
      paymentDetails: { errorMessage: 'Your bank said no' },
    });
    await withOrders(page, [failed]);
    await open(page, `/orders?order=${failed._id}`);
    const dialog = page.getByRole('dialog', { name: 'Order #0A1B2C3D' });
    await dialog.getByText('Your bank said no').waitFor();
    await dialog.getByText('Failed', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.route('**/api/user/orders/*/pay-again', (route) =>
      route.fulfill(failure(409, 'insufficient_stock', 'Not enough spice stock available')),
    );
    await page.getByRole('button', { name: 'Pay again' }).click();
    await toast(page, 'Not enough spice stock available').waitFor();
  },
  { expected: [/409/] },
);

testOnPhone(
  'Failed to load orders, with a way to try again; none yet; signed out',
  async ({ page }) => {
    await open(page, '/orders');
    await page.getByRole('button', { name: 'Sign in to continue' }).waitFor();
    await newCustomer(page);
    await page.route('**/api/user/orders', (route) => route.fulfill(failure(500, 'internal', 'Something broke')));
    await open(page, '/orders');
    await toast(page, 'Failed to load orders').waitFor();
    await page.unroute('**/api/user/orders');
    await withOrders(page, []);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No orders yet.').waitFor();
  },
  { expected: [/500/] },
);
