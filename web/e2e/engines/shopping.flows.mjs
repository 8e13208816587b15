// What a customer does: sign in, add, check out, pay, look at orders, review.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeAddress, newEmail } from '../customer-fixtures.mjs';
import { desktop } from '../fixtures.mjs';
import {
  buy,
  cartLabel,
  flow,
  openWithoutWorker,
  openWithWorker,
  payElsewhere,
  sendAsAdmin,
  short,
  signIn,
} from './fixtures.mjs';
import { eventually } from './page.mjs';

const openings = { 'with the worker in control': openWithWorker, 'without the worker': openWithoutWorker };

/** From the sign-in dialog through the provider's page. */
async function signInAtGoogle(page, email) {
  await page.dialog('Welcome Back!').role('button', 'Sign in with Google').click();
  await page.at(/^\/sandbox\//);
  await page.label('E-mail address').fill(email);
  await page.role('button', 'Continue').click();
}

for (const [how, open] of Object.entries(openings)) {
  flow(`Sign-in ${how} returns to the page, and sign-out`, async ({ page }) => {
    await open(page, '/about-us');
    await page.role('banner').role('button', 'Sign In').click();
    await signInAtGoogle(page, newEmail('asha'));
    await page.at('/about-us');
    const account = page.role('banner').css('button[aria-expanded][aria-controls]:not([aria-controls="menu"])');
    await account.shown();
    await page.role('banner').role('button', 'Sign In').gone();
    const { user } = await page.send('GET', '/api/userinfo');
    assert.match(user.email, /^asha\./);
    await account.click();
    await page.role('button', 'Logout').click();
    await page.at('/');
    await page.role('banner').role('button', 'Sign In').shown();
  });

  flow(`Packs that are added before sign-in ${how} are in the cart`, async ({ page }) => {
    await open(page, '/product/goda-masala');
    const more = page.role('button', 'More: 50 g packs');
    await more.click();
    await more.click();
    await page.role('button', 'Add to Cart').click();
    await page.message(/Please login to add items to cart/);
    await signInAtGoogle(page, newEmail('visitor'));
    await page.dialog('Your Cart').text('Goda Masala').shown();
    await page.at('/product/goda-masala');
    await page.dialog('Your Cart').role('button', 'Close').click();
    await cartLabel(page, 'Cart, 2 packs');
  });

  flow(`From the shelf to a paid order, sign-in ${how}`, async ({ page }) => {
    await open(page, '/product/chai-masala');
    await page.role('button', 'More: 100 g packs').click();
    await page.role('button', 'Add to Cart').click();
    await signInAtGoogle(page, newEmail('asha'));
    await page.dialog('Your Cart').role('button', 'Checkout').click();
    await page.at('/checkout');
    await addAddress(page);
    await toPayment(page);
    await page.role('button', /^Pay ₹/).click();
    await page.at(/^\/payment\/status/);
    await page.text('Payment successful! Your order has been confirmed.').shown();
    await cartLabel(page, 'Cart');
    await page.role('link', 'View Orders').click();
    await page.at('/orders');
    const [bought] = (await page.send('GET', '/api/user/orders')).orders;
    const card = page.role('article', `Order ${short(bought)}`);
    await card.text('Confirmed').shown();
    await card.text('Payment completed').shown();
    await card.role('button', 'View Details').click();
    await page
      .dialog(/^Order #/)
      .text(/12 Laxmi Road/)
      .shown();
    await page
      .dialog(/^Order #/)
      .text('Order Confirmed')
      .shown();
  });
}

async function addAddress(page) {
  await page.role('button', /Add .*address/i).click();
  const form = page.dialog('Add New Address');
  await form.label(/^Address name/).fill('Home');
  await form.label(/^Full name/).fill('Asha Kulkarni');
  await form.label(/^Phone/).fill('98765 43210');
  await form.label(/^Pincode/).fill('411030');
  await eventually(form.label(/^City/).value, 'Pune', 'the city of the pincode');
  await form.label(/^Address line 1/).fill('12 Laxmi Road');
  await form.role('button', 'Add address').click();
  await page.message(/Address added successfully/);
  await form.gone();
}

/** Returns the URL of the gateway's page. */
async function toPayment(page) {
  await page.role('button', /^Continue to Payment/).click();
  await page.at(/^\/sandbox\//);
  await page.role('button', /^Pay ₹/).shown();
  return page.session.url();
}

/** A customer with a full cart, on the gateway's page. */
async function onThePaymentPage(page) {
  await openWithWorker(page, '/about-us');
  await signIn(page, newEmail('asha'), '/about-us');
  await page.send('POST', '/api/addresses', homeAddress);
  await page.send('POST', '/api/cart/add-to-cart', { productId: 'goda-masala', qty_50g: 2, qty_100g: 1 });
  await page.open('/checkout');
  return toPayment(page);
}

flow('A failed payment keeps the cart, and Pay again pays', async ({ page }) => {
  await onThePaymentPage(page);
  await page.role('button', 'Fail').click();
  await page.at(/^\/payment\/status/);
  await page.role('heading', 'Payment Failed').shown();
  await cartLabel(page, 'Cart, 3 packs');
  await page.role('button', 'Pay again').click();
  await page.at(/^\/sandbox\//);
  await page.role('button', /^Pay ₹/).click();
  await page.at(/^\/payment\/status/);
  await page.text('Payment successful! Your order has been confirmed.').shown();
  const { orders } = await page.send('GET', '/api/user/orders');
  const statuses = orders.map((order) => `${order.paymentStatus} ${order.orderStatus}`);
  assert.deepEqual(statuses, ['completed confirmed', 'failed cancelled']);
});

flow(
  'A pending payment is shown as paid when it is made; back from the gateway is the same order',
  async ({ page }) => {
    const gateway = await onThePaymentPage(page);
    await page.session.back();
    await page.at('/checkout');
    assert.equal(await toPayment(page), gateway);
    await page.role('button', 'Leave it pending').click();
    await page.at(/^\/payment\/status/);
    await page.text('Payment pending...').shown();
    await cartLabel(page, 'Cart, 3 packs');
    await payElsewhere(gateway);
    await page.text('Payment successful! Your order has been confirmed.').shown();
    assert.equal((await page.send('GET', '/api/user/orders')).orders.length, 1);
  },
);

flow(
  'A delivered order is reviewed with a photo',
  async ({ page, engine }) => {
    await openWithWorker(page, '/about-us');
    await signIn(page, newEmail('asha'), '/about-us');
    const order = await buy(page.send, 'rasam-powder');
    await sendAsAdmin('PUT', `/api/admin/orders/${order._id}/status`, { orderStatus: 'delivered' });
    await page.open(`/orders?order=${order._id}`);
    await page.role('link', 'Review Rasam Powder').click();
    await page.at(/^\/review/);
    await page.role('radio', '4 stars').click();
    await page.text('Very good').shown();
    const words = `Smells of home, ${engine.name} ${Date.now()}`;
    await page.label(/^Your words/).fill(words);
    const photo = join(tmpdir(), `dish ${process.pid} ${engine.name}.png`);
    await writeFile(photo, await page.session.screenshot(), 'base64');
    await page.css('[role=group][aria-label=Photos] input[type=file]:not([capture])').attach(photo);
    await page.role('button', /^Remove photo 1/).shown();
    await page.role('button', 'Publish review').click();
    await page.text('Thank you!').shown();
    await page.role('link', 'See all reviews').click();
    await page.at(/^\/product\/rasam-powder/);
    const own = page.role('article').having(words);
    await own.role('button', 'Enlarge photo 1 of 1').click();
    const enlarged = page.dialog('Photo').css('img');
    const isLoaded = () => enlarged.read((image) => image.complete && image.naturalWidth > 0);
    await eventually(isLoaded, true, 'the photo is loaded');
  },
  { viewport: desktop },
);
