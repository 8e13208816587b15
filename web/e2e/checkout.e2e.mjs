// Orders on the real server and its sandbox gateway: paid, failed, left pending, started twice.
import assert from 'node:assert/strict';
import {
  expectCartLabel,
  newCustomer,
  putIntoCart,
  saveAddress,
  testOnPhone,
  testOnPhoneAndDesktop,
} from './customer-fixtures.mjs';
import { eventually, open, withMotion } from './fixtures.mjs';

const pay = (page) => page.getByRole('button', { name: /^Continue to Payment/ });

/** A customer with a full cart, on the gateway's page. */
async function onThePaymentPage(page) {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 2, 1);
  await saveAddress(page);
  await open(page, '/checkout');
  return toPayment(page);
}

async function toPayment(page) {
  await pay(page).click();
  await page.waitForURL(/\/sandbox\//);
  await page.getByRole('button', { name: /^Pay ₹/ }).waitFor();
  return page.url();
}

const outcome = (page, name) => page.getByRole('button', { name }).click();
const numberOf = (page) => new URL(page.url()).searchParams.get('merchantOrderId');
const orders = async (page) => (await (await page.request.get('/api/user/orders')).json()).orders;

testOnPhoneAndDesktop(
  'Paid: success, the packs leave the cart, the order is confirmed',
  async ({ page }) => {
    await onThePaymentPage(page);
    await outcome(page, /^Pay ₹/);
    await page.waitForURL((url) => url.pathname === '/payment/status');
    await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
    await page.getByText(numberOf(page)).waitFor();
    await page.getByText('Goda Masala').waitFor();
    await expectCartLabel(page, 'Cart');
    await page.getByRole('link', { name: 'View Orders' }).click();
    await page.waitForURL((url) => url.pathname === '/orders');
    const [bought] = await orders(page);
    const card = page.getByRole('article', { name: `Order ${bought._id.slice(-8).toUpperCase()}` });
    await card.getByText('Confirmed').waitFor();
    await card.getByText('Payment completed').waitFor();
    await card.getByText(`₹${bought.totalAmount.toFixed(2)}`).waitFor();
    await card.getByRole('button', { name: 'View Details' }).click();
    const details = page.getByRole('dialog', { name: /^Order #/ });
    await details.getByText('Order Confirmed').waitFor();
    await details.getByText('12 Laxmi Road').waitFor();
  },
  withMotion,
);

testOnPhoneAndDesktop(
  'Failed: the reason is shown, the cart is as it was, Pay again pays',
  async ({ page }) => {
    await onThePaymentPage(page);
    await outcome(page, 'Fail');
    await page.waitForURL((url) => url.pathname === '/payment/status');
    await page.getByRole('heading', { name: 'Payment Failed' }).waitFor();
    await eventually(() => page.getByRole('link', { name: 'View Orders' }).count(), 0);
    await expectCartLabel(page, 'Cart, 3 packs');
    const first = numberOf(page);
    await page.getByRole('button', { name: 'Pay again' }).click();
    await page.waitForURL(/\/sandbox\//);
    await outcome(page, /^Pay ₹/);
    await page.waitForURL((url) => url.pathname === '/payment/status');
    await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
    assert.notEqual(numberOf(page), first);
    const statuses = (await orders(page)).map((order) => `${order.paymentStatus} ${order.orderStatus}`);
    assert.deepEqual(statuses, ['completed confirmed', 'failed cancelled']);
  },
  withMotion,
);

testOnPhone('Pending: the page waits, and changes by itself once the payment is made', async ({ page, context }) => {
  const gateway = await onThePaymentPage(page);
  await outcome(page, 'Leave it pending');
  await page.waitForURL((url) => url.pathname === '/payment/status');
  await page.getByText('Payment pending...').waitFor();
  await expectCartLabel(page, 'Cart, 3 packs');
  const elsewhere = await context.newPage();
  await elsewhere.goto(gateway);
  await outcome(elsewhere, /^Pay ₹/);
  await elsewhere.waitForURL((url) => url.pathname === '/payment/status');
  await elsewhere.close();
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
});

testOnPhone('Back from the gateway and on again: the same order, not a second one', async ({ page }) => {
  const gateway = await onThePaymentPage(page);
  await page.goBack();
  await page.waitForURL((url) => url.pathname === '/checkout');
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  assert.equal(await toPayment(page), gateway);
  assert.equal((await orders(page)).length, 1);
});
