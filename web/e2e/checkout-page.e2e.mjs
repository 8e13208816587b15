// Specification, section 2: Delivery Address page; sections 5 and 8: what it says and when. The checkout call itself is
// answered here, so that every answer of it can be tried.
import assert from 'node:assert/strict';
import { eventually, open, scenario, settled, toast } from './shop.mjs';
import { newShopper, onAPhone, putIntoCart, saveAddress, story } from './shopper.mjs';

const CHECKOUT = '**/api/cart/checkout';
const pay = (page) => page.getByRole('button', { name: /^Continue to Payment/ });
const GATEWAY = '/about-us?paid-here';

async function readyToPay(page) {
  await newShopper(page);
  await putIntoCart(page, 'goda-masala', 2, 1);
  await saveAddress(page, { addressName: 'Work', isDefault: false });
  const home = await saveAddress(page);
  await open(page, '/checkout');
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  return home;
}

/** Answers each checkout call with the next of `answers` (the last one again and again) and keeps what was asked. */
async function gateway(page, ...answers) {
  const asked = [];
  await page.route(CHECKOUT, async (route) => {
    const request = route.request();
    asked.push({ body: request.postDataJSON(), key: request.headers()['idempotency-key'] });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer === 'broken') await route.abort();
    else await route.fulfill(answer);
  });
  return asked;
}

story('Delivery Address: saved address cards, the default chosen, the order as it is charged', async ({ page }) => {
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
});

onAPhone('Continue to Payment: creates the order, then the browser goes to redirectUrl', async ({ page }) => {
  const home = await readyToPay(page);
  const asked = await gateway(page, { json: { redirectUrl: GATEWAY, merchantOrderId: 'M1' } });
  await pay(page).click();
  await page.waitForURL((url) => url.pathname + url.search === GATEWAY);
  assert.equal(asked.length, 1);
  const { cart } = await (await page.request.get('/api/cart/cart')).json();
  assert.deepEqual(asked[0].body, { addressId: home._id, expectedTotal: cart.totalAmount });
  assert.match(asked[0].key, /^[0-9a-f-]{36}$/);
});

onAPhone('Checkout is blocked while a payment is being initiated', async ({ page }) => {
  await readyToPay(page);
  let answer;
  await page.route(CHECKOUT, async (route) => {
    await new Promise((resolve) => {
      answer = resolve;
    });
    await route.fulfill({ json: { redirectUrl: GATEWAY } });
  });
  await pay(page).click();
  await toast(page, 'Creating order and initiating payment...').waitFor();
  await eventually(() => pay(page).isDisabled(), true);
  await eventually(() => page.getByRole('radio', { name: /Work/ }).isDisabled(), true);
  answer();
  await page.waitForURL((url) => url.pathname + url.search === GATEWAY);
});

scenario(
  'One key an attempt: kept over a network failure and a reload, new after an answer and after a change',
  async ({ page }) => {
    await readyToPay(page);
    const refusal = { status: 409, json: { error: 'Not enough spice stock available', message: '' } };
    const asked = await gateway(page, 'broken', 'broken', refusal, 'broken');
    const press = async (text) => {
      const before = asked.length;
      await pay(page).click();
      await eventually(() => asked.length, before + 1);
      await toast(page, text).waitFor();
      await settled(page);
    };
    await press('Failed to initiate payment');
    await open(page, '/checkout');
    await press('Failed to initiate payment');
    await press('Not enough spice stock available');
    await press('Failed to initiate payment');
    await page.getByRole('radio', { name: /Work/ }).click();
    await page.getByRole('radio', { name: /Work/, checked: true }).waitFor();
    await press('Failed to initiate payment');
    const [first, afterReload, third, afterAnswer, otherAddress] = asked.map(({ key }) => key);
    assert.equal(afterReload, first, 'a retry of the same attempt');
    assert.equal(third, first, 'still nobody had answered');
    assert.notEqual(afterAnswer, first, 'the attempt was answered');
    assert.notEqual(otherAddress, afterAnswer, 'another address is another attempt');
  },
  { expected: [/ERR_FAILED/, /409/] },
);

onAPhone("'Failed to initiate payment' when there is no redirectUrl", async ({ page }) => {
  await readyToPay(page);
  await gateway(page, { json: { merchantOrderId: 'M1' } });
  await pay(page).click();
  await toast(page, 'Failed to initiate payment').waitFor();
  await eventually(() => pay(page).isDisabled(), false);
});

story("'Please select a delivery address', then adding one chooses it", async ({ page }) => {
  await newShopper(page);
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

onAPhone('Notices are shown plainly; what cannot be bought holds the payment, with a reason', async ({ page }) => {
  await newShopper(page);
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

onAPhone('An empty cart leads back to the masalas; signed out, the page invites to sign in', async ({ page }) => {
  await open(page, '/checkout');
  await page.getByRole('button', { name: 'Sign in to continue' }).click();
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor();
  await newShopper(page, '/checkout');
  await page.getByText('Your cart is empty.').waitFor();
  assert.equal(await page.locator('main a[href="/sub-products"]').count(), 1);
});

story('The cart panel on the checkout page closes when Checkout is pressed', async ({ page }) => {
  await readyToPay(page);
  await page.getByRole('button', { name: 'Edit cart' }).click();
  const panel = page.getByRole('dialog', { name: 'Your Cart' });
  await panel.getByRole('button', { name: 'Checkout' }).click();
  await panel.waitFor({ state: 'hidden' });
});
