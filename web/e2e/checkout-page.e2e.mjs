// Specification, section 2: Delivery Address page; sections 5 and 8: what it says and when. The checkout
// endpoint is mocked, so that every response can be tested.
import assert from 'node:assert/strict';
import { newCustomer, putIntoCart, saveAddress, testOnPhone, testOnPhoneAndDesktop } from './customer-fixtures.mjs';
import { eventually, failure, open, test, toast, waitForIdle } from './fixtures.mjs';

const CHECKOUT = '**/api/cart/checkout';
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

/** Responds to each checkout request with the next of `responses` (the last one again and again); returns the requests. */
async function gateway(page, ...responses) {
  const requests = [];
  await page.route(CHECKOUT, async (route) => {
    const request = route.request();
    requests.push({ body: request.postDataJSON(), key: request.headers()['idempotency-key'] });
    const response = responses[Math.min(requests.length, responses.length) - 1];
    if (response === 'broken') await route.abort();
    else await route.fulfill(response);
  });
  return requests;
}

testOnPhoneAndDesktop(
  'Delivery Address: saved address cards, the default chosen, the order as it is charged',
  async ({ page }) => {
    await readyToPay(page);
    await page.getByRole('heading', { name: 'Delivery Address', level: 1 }).waitFor();
    const { cart } = await (await page.request.get('/api/cart/cart')).json();
    const summary = page.getByRole('region', { name: 'Your order' });
    await summary.getByText('Goda Masala').waitFor();
    await summary.getByText(`2 × 50 g @ ₹${cart.items[0].price_50g.toFixed(2)} each`).waitFor();
    await summary
      .getByText(`₹${cart.totalAmount.toFixed(2)}`)
      .last()
      .waitFor();
  },
);

testOnPhone('Continue to Payment: creates the order, then the browser goes to redirectUrl', async ({ page }) => {
  const address = await readyToPay(page);
  const requests = await gateway(page, { json: { redirectUrl: GATEWAY, merchantOrderId: 'M1' } });
  await pay(page).click();
  await page.waitForURL((url) => url.pathname + url.search === GATEWAY);
  assert.equal(requests.length, 1);
  const { cart } = await (await page.request.get('/api/cart/cart')).json();
  assert.deepEqual(requests[0].body, { addressId: address._id, expectedTotal: cart.totalAmount });
  assert.match(requests[0].key, /^[0-9a-f-]{36}$/);
});

testOnPhone('Checkout is blocked while a payment is being initiated', async ({ page }) => {
  await readyToPay(page);
  let respond;
  await page.route(CHECKOUT, async (route) => {
    await new Promise((resolve) => {
      respond = resolve;
    });
    await route.fulfill({ json: { redirectUrl: GATEWAY } });
  });
  await pay(page).click();
  await toast(page, 'Creating order and initiating payment...').waitFor();
  await eventually(() => pay(page).isDisabled(), true);
  await eventually(() => page.getByRole('radio', { name: /Work/ }).isDisabled(), true);
  respond();
  await page.waitForURL((url) => url.pathname + url.search === GATEWAY);
});

test(
  'One key an attempt: reused after a network failure and a reload, new after a response and after a change',
  async ({ page }) => {
    await readyToPay(page);
    const rejection = failure(409, 'insufficient_stock', 'Not enough spice stock available');
    const requests = await gateway(page, 'broken', 'broken', rejection, 'broken');
    const press = async (text) => {
      const before = requests.length;
      await pay(page).click();
      await eventually(() => requests.length, before + 1);
      await toast(page, text).waitFor();
      await waitForIdle(page);
    };
    await press('Failed to initiate payment');
    await open(page, '/checkout');
    await press('Failed to initiate payment');
    await press('Not enough spice stock available');
    await press('Failed to initiate payment');
    await page.getByRole('radio', { name: /Work/ }).click();
    await page.getByRole('radio', { name: /Work/, checked: true }).waitFor();
    await press('Failed to initiate payment');
    const [first, afterReload, third, afterResponse, otherAddress] = requests.map(({ key }) => key);
    assert.equal(afterReload, first, 'a retry of the same attempt');
    assert.equal(third, first, 'still no response');
    assert.notEqual(afterResponse, first, 'there was a response');
    assert.notEqual(otherAddress, afterResponse, 'another address is another attempt');
  },
  { expected: [/ERR_FAILED/, /409/] },
);

testOnPhone("'Failed to initiate payment' when there is no redirectUrl", async ({ page }) => {
  await readyToPay(page);
  await gateway(page, { json: { merchantOrderId: 'M1' } });
  await pay(page).click();
  await toast(page, 'Failed to initiate payment').waitFor();
  await eventually(() => pay(page).isDisabled(), false);
});

testOnPhoneAndDesktop("'Please select a delivery address', then adding one chooses it", async ({ page }) => {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 1, 0);
  await open(page, '/checkout');
  await pay(page).click();
  await toast(page, 'Please select a delivery address').waitFor();
  await page.getByRole('button', { name: 'Add your first address' }).click();
  const form = page.getByRole('dialog', { name: 'Add New Address' });
  await form.getByLabel('Address name').fill('Home');
  await form.getByLabel('Full name').fill('Asha');
  await form.getByLabel('Phone').fill('9876543210');
  await form.getByLabel('Pincode').fill('411030');
  await form.getByLabel('Address line 1').fill('12 Laxmi Road');
  await eventually(() => form.getByLabel('City').inputValue(), 'Pune');
  await form.getByRole('button', { name: 'Add address' }).click();
  await toast(page, 'Address added successfully').waitFor();
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
});

testOnPhone('Notices are shown; an item that cannot be bought blocks the payment, with a reason', async ({ page }) => {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 1, 0);
  await putIntoCart(page, 'chai-masala', 1, 0);
  await saveAddress(page);
  await page.route('**/api/cart/cart', async (route) => {
    const { cart } = await (await route.fetch()).json();
    cart.items = cart.items.map((item) =>
      item.productId === 'goda-masala'
        ? { ...item, notice: 'Price changed from ₹60 to ₹65' }
        : { ...item, notice: 'No longer available', blocked: true },
    );
    await route.fulfill({ json: { cart } });
  });
  await open(page, '/checkout');
  await page.getByText('Price changed from ₹60 to ₹65').waitFor();
  await page.getByText('No longer available').waitFor();
  await eventually(() => pay(page).isDisabled(), true);
  assert.match(
    await pay(page).evaluate((button) => document.getElementById(button.getAttribute('aria-describedby')).innerText),
    /Chai Masala cannot be ordered as it stands/,
  );
  await page.getByRole('button', { name: 'Remove Chai Masala' }).click();
  await toast(page, 'Item removed from cart').waitFor();
  await eventually(() => pay(page).isDisabled(), false);
});

testOnPhone('An empty cart links to the masalas; a visitor is asked to sign in', async ({ page }) => {
  await open(page, '/checkout');
  await page.getByRole('button', { name: 'Sign in to continue' }).click();
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor();
  await newCustomer(page, '/checkout');
  await page.getByText('Your cart is empty.').waitFor();
  await eventually(() => page.locator('main a[href="/sub-products"]').count(), 1);
});

testOnPhoneAndDesktop('The cart panel on the checkout page closes when Checkout is pressed', async ({ page }) => {
  await readyToPay(page);
  await page.getByRole('button', { name: 'Edit cart' }).click();
  const panel = page.getByRole('dialog', { name: 'Your Cart' });
  await panel.getByRole('button', { name: 'Checkout' }).click();
  await panel.waitFor({ state: 'hidden' });
});
