// Specification, section 2: Delivery Address page. What it says and when is tested in
// src/app/pages/account/checkout-page.test.tsx.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import { newCustomer, putIntoCart, saveAddress, testOnPhone } from './customer-fixtures.mjs';
import { desktop, eventually, open, phone, tablet, test } from './fixtures.mjs';

const pay = (page) => page.getByRole('button', { name: /^Continue to Payment/ });
const GATEWAY = '/about-us?paid-here';

async function readyToPay(page) {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 2, 1);
  await saveAddress(page, { addressName: 'Work', isDefault: false });
  const address = await saveAddress(page);
  await open(page, '/checkout');
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  return address;
}

testOnPhone('Continue to Payment: creates the order, then the browser goes to redirectUrl', async ({ page }) => {
  const address = await readyToPay(page);
  const requests = [];
  await mockApi(page, '/api/cart/checkout', (request) => {
    requests.push({ body: request.json, key: request.headers['idempotency-key'] });
    return request.fulfill({ json: { redirectUrl: GATEWAY, merchantOrderId: 'M1' } });
  });
  await pay(page).click();
  await page.waitForURL((url) => url.pathname + url.search === GATEWAY);
  assert.equal(requests.length, 1);
  const { cart } = await (await page.request.get('/api/cart/cart')).json();
  assert.deepEqual(requests[0].body, { addressId: address._id, expectedTotal: cart.totalAmount });
  assert.match(requests[0].key, /^[0-9a-f-]{36}$/);
});

test('Continue to Payment is always on the screen, below an order of any length', async ({ page }) => {
  await newCustomer(page);
  await saveAddress(page);
  for (const id of ['goda-masala', 'chai-masala', 'rasam-powder', 'sambar-masala', 'falafel-mix', 'tikka-masala'])
    await putIntoCart(page, id, 1, 1);
  for (const viewport of [desktop, { width: 1024, height: 700 }, tablet, phone, { width: 320, height: 568 }]) {
    const size = `${viewport.width} × ${viewport.height}`;
    await page.setViewportSize(viewport);
    // Away from the page, so that it is not at the place to which it was scrolled.
    await page.goto('about:blank');
    await open(page, '/checkout');
    await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
    const isShown = () =>
      pay(page).evaluate((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return top >= 0 && bottom <= window.innerHeight && button.contains(middle);
      });
    await eventually(isShown, true, `at the top of the page, ${size}`);
    await page.getByText('Prices include all taxes.').scrollIntoViewIfNeeded();
    await eventually(isShown, true, `beside the total, ${size}`);
  }
});

testOnPhone('The cart panel on the checkout page closes when Checkout is pressed', async ({ page }) => {
  await readyToPay(page);
  await page.getByRole('button', { name: 'Edit cart' }).click();
  const panel = page.getByRole('dialog', { name: 'Your Cart' });
  await panel.getByRole('button', { name: 'Checkout' }).click();
  await panel.waitFor({ state: 'hidden' });
});
