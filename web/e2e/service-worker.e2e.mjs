// The main flows with the service worker in control: sign-in, packs added before it, checkout, payment, sign-out, and an
// update of the worker while tabs are open.
import assert from 'node:assert/strict';
import { expectCartLabel, newCustomer, newEmail, putIntoCart, saveAddress } from './customer-fixtures.mjs';
import { base, eventually, open, toast, waitForIdle } from './fixtures.mjs';
import {
  expectName,
  goToProvider,
  isPreloadOn,
  isSignedIn,
  openWithWorker,
  pickAccount,
  serveEarlierWorker,
  serveTodaysWorker,
  shownMessages,
  signInByHand,
  testWithBothWorkers,
  testWithWorker,
} from './service-worker-fixtures.mjs';

const NOT_SIGNED_IN = /You are not signed in/;

/** The visitor is signed in on this page, and no message says otherwise. */
async function expectSignedIn(page, path) {
  await expectName(page, /^Worker/);
  await waitForIdle(page);
  assert.equal(page.url(), base + path);
  assert.doesNotMatch(await shownMessages(page), NOT_SIGNED_IN);
  assert.equal(await isSignedIn(page), true);
}

testWithBothWorkers('Sign-in returns to the page where it began, signed in; a reload keeps it', async ({ page }) => {
  await openWithWorker(page, '/about-us');
  await signInByHand(page, newEmail('worker'));
  await expectSignedIn(page, '/about-us');
  await page.reload();
  await expectSignedIn(page, '/about-us');
});

testWithBothWorkers(
  'Packs that were added before sign-in are in the cart, with panel and message',
  async ({ page }) => {
    await openWithWorker(page, '/product/goda-masala');
    await page.getByRole('button', { name: 'More: 50 g packs' }).click();
    await page.getByRole('button', { name: 'More: 100 g packs' }).click();
    await page.getByRole('button', { name: 'Add to Cart' }).click();
    await goToProvider(page);
    await Promise.all([
      toast(page, 'Item added to cart successfully').waitFor(),
      pickAccount(page, newEmail('worker')),
    ]);
    const panel = page.getByRole('dialog', { name: 'Your Cart' });
    await panel.getByText('Goda Masala').first().waitFor();
    await page.waitForURL((url) => url.pathname === '/product/goda-masala' && url.search === '');
    await panel.getByRole('button', { name: 'Close' }).click();
    await expectCartLabel(page, 'Cart, 2 packs');
    await expectSignedIn(page, '/product/goda-masala');
    await page.reload();
    await waitForIdle(page);
    assert.doesNotMatch(await shownMessages(page), /Item added/, 'said once');
  },
);

testWithBothWorkers('Back to the provider and on again shows no error', async ({ page }) => {
  await openWithWorker(page, '/about-us');
  const email = newEmail('worker');
  await signInByHand(page, email);
  await expectSignedIn(page, '/about-us');
  await page.goBack({ waitUntil: 'domcontentloaded' });
  await page.waitForURL(/\/sandbox\//);
  await pickAccount(page, email);
  await expectSignedIn(page, '/about-us');
});

testWithBothWorkers('Cancelled at the provider: the page where it began, with a message', async ({ page }) => {
  await openWithWorker(page, '/product/chai-masala');
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click();
  await goToProvider(page);
  await Promise.all([toast(page, NOT_SIGNED_IN).waitFor(), page.getByRole('link', { name: 'Cancel' }).click()]);
  await eventually(() => page.url(), `${base}/product/chai-masala`);
  assert.equal(await isSignedIn(page), false);
});

testWithBothWorkers('Sign-out', async ({ page }) => {
  await openWithWorker(page, '/about-us');
  await signInByHand(page, newEmail('worker'));
  await expectName(page, /^Worker/);
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Worker/ })
    .click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor();
  assert.equal(await isSignedIn(page), false);
});

testWithBothWorkers('A second tab learns of the sign-in in the first', async ({ page, context }) => {
  await openWithWorker(page, '/about-us');
  const second = await context.newPage();
  await openWithWorker(second, '/contact-us');
  await signInByHand(page, newEmail('worker'));
  await expectSignedIn(page, '/about-us');
  await expectSignedIn(second, '/contact-us');
});

/** A customer on the gateway's page, by the buttons of the shop. */
async function onThePaymentPage(page) {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 2, 1);
  await saveAddress(page);
  await openWithWorker(page, '/checkout');
  return toPayment(page, /^Continue to Payment/);
}

async function toPayment(page, button) {
  await page.getByRole('button', { name: button }).click();
  await page.waitForURL(/\/sandbox\//);
  await page.getByRole('button', { name: /^Pay ₹/ }).waitFor();
  return page.url();
}

async function choose(page, result) {
  await page.getByRole('button', { name: result }).click();
  await page.waitForURL((url) => url.pathname === '/payment/status');
}

const states = async (page) => {
  const { orders } = await (await page.request.get('/api/user/orders')).json();
  return orders.map((order) => `${order.paymentStatus} ${order.orderStatus}`);
};

testWithBothWorkers('Checkout and payment: paid', async ({ page }) => {
  await onThePaymentPage(page);
  await choose(page, /^Pay ₹/);
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  await expectCartLabel(page, 'Cart');
  assert.deepEqual(await states(page), ['completed confirmed']);
  await page.reload();
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
});

testWithBothWorkers('Checkout and payment: failed, then paid', async ({ page }) => {
  await onThePaymentPage(page);
  await choose(page, 'Fail');
  await page.getByRole('heading', { name: 'Payment Failed' }).waitFor();
  await expectCartLabel(page, 'Cart, 3 packs');
  await toPayment(page, 'Pay again');
  await choose(page, /^Pay ₹/);
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  assert.deepEqual(await states(page), ['completed confirmed', 'failed cancelled']);
});

testWithBothWorkers('Checkout and payment: pending, then paid in another tab', async ({ page, context }) => {
  const gateway = await onThePaymentPage(page);
  await choose(page, 'Leave it pending');
  await page.getByText('Payment pending...').waitFor();
  const other = await context.newPage();
  await other.goto(gateway);
  await choose(other, /^Pay ₹/);
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  assert.deepEqual(await states(page), ['completed confirmed']);
});

testWithBothWorkers('Back from the gateway and on again: the same order', async ({ page }) => {
  const gateway = await onThePaymentPage(page);
  await page.goBack();
  await page.waitForURL((url) => url.pathname === '/checkout');
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  assert.equal(await toPayment(page, /^Continue to Payment/), gateway);
  assert.deepEqual(await states(page), ['pending pending']);
});

testWithWorker(
  'An update of the worker while tabs are open turns preload off; both tabs go on',
  async ({ page, context }) => {
    await serveEarlierWorker(context);
    await openWithWorker(page, '/product/goda-masala');
    // Before the first navigation that this worker controls: after it, the browser looks for an update by itself, and gets
    // today's worker (see `serveEarlierWorker`).
    assert.equal(await isPreloadOn(page), true);
    const second = await context.newPage();
    await openWithWorker(second, '/about-us');
    await page.getByRole('button', { name: 'More: 50 g packs' }).click();
    await page.getByRole('button', { name: 'Add to Cart' }).click();

    // A page registers the worker two seconds after it has loaded: from now on it gets today's.
    await serveTodaysWorker(context);
    await second.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await eventually(() => isPreloadOn(page), false);

    await goToProvider(page);
    await Promise.all([
      toast(page, 'Item added to cart successfully').waitFor(),
      pickAccount(page, newEmail('worker')),
    ]);
    await page.getByRole('dialog', { name: 'Your Cart' }).getByRole('button', { name: 'Close' }).click();
    await expectSignedIn(page, '/product/goda-masala');
    await expectSignedIn(second, '/about-us');
    await open(second, '/');
    await expectSignedIn(second, '/');
  },
);
