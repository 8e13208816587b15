// Discount codes on the real server: made in the admin area, entered in the cart and at the checkout, used up, and an order
// that they make free.
import assert from 'node:assert/strict';
import { openAdminWithMocks } from './admin-mocks.mjs';
import { expectNoViolations, expectNoViolationsOfBothLayouts } from './axe.mjs';
import { newCustomer, putIntoCart, saveAddress, send } from './customer-fixtures.mjs';
import { eventually, expectNoSidewaysScroll, open, signIn, test, toast, waitForIdle, withClient } from './fixtures.mjs';

let count = 0;
const newCode = (name) => `${name}-${process.pid}-${count++}`;

/** Adds a code as an admin. */
const addCode = (code, terms) =>
  withClient(async (admin) => {
    await signIn(admin, 'admin@mirasa.example');
    await send(admin, 'POST', '/api/admin/discounts', { code, ...terms });
  });

const panel = (page) => page.getByRole('dialog', { name: 'Your Cart' });
const summary = (page) => page.getByRole('region', { name: 'Your order' });

async function enter(part, code) {
  await part.getByRole('button', { name: 'Have a discount code?' }).click();
  await part.getByLabel('Discount code').fill(code.toLowerCase());
  await part.getByRole('button', { name: 'Apply' }).click();
}

test('A code is entered in the cart, paid for, and shown with the order', async ({ page }) => {
  const code = newCode('TENTH');
  await addCode(code, { kind: 'percent', value: 10 });
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 2, 1);
  await saveAddress(page);
  const { cart } = await send(page, 'GET', '/api/cart/cart');
  const saved = (cart.totalAmount / 10).toFixed(2);
  const total = (cart.totalAmount * 0.9).toFixed(2);
  await open(page, '/');
  await page.getByRole('button', { name: /^Cart/ }).click();
  await enter(panel(page), code);
  await panel(page).getByText(`You save ₹${saved}.`).waitFor();
  await panel(page).getByText(`−₹${saved}`).waitFor();
  await panel(page).getByRole('button', { name: 'Checkout' }).click();
  await summary(page).getByText(`Discount ${code}`).waitFor();
  await summary(page).getByText(`₹${total}`).waitFor();
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  await page.getByRole('button', { name: /^Continue to Payment/ }).click();
  await page.getByRole('button', { name: /^Pay ₹/ }).click();
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  await page.getByText(`−₹${saved}`).waitFor();
  await page.getByRole('link', { name: 'View Orders' }).click();
  await page.getByText(`You saved ₹${saved}`).waitFor();
  await page.getByRole('button', { name: 'View Details' }).click();
  const details = page.getByRole('dialog', { name: /^Order #/ });
  await details.getByText(`Discount ${code}`).waitFor();
  await details.getByText(`₹${total}`).first().waitFor();

  await signIn(page, 'admin@mirasa.example');
  await open(page, '/admins?section=discounts');
  const row = page.getByRole('row').filter({ hasText: code });
  await eventually(
    () => row.innerText(),
    new RegExp(`10 %[\\s\\S]*1\\s+₹${Number(total)}[\\d.]*\\s+₹${Number(saved)}`),
  );
});

test(
  'A code that has just run out stops the checkout; without it the order goes on at the full price',
  async ({ page }) => {
    const code = newCode('LAST');
    await addCode(code, { kind: 'amount', value: 20, maxUses: 1 });
    await newCustomer(page);
    await putIntoCart(page, 'goda-masala', 1, 0);
    await saveAddress(page);
    await open(page, '/checkout');
    await enter(summary(page), code);
    await summary(page).getByText('You save ₹20.00.').waitFor();

    await withClient(async (other) => {
      await newCustomer(other);
      await putIntoCart(other, 'goda-masala', 1, 0);
      const { _id: addressId } = await saveAddress(other);
      await send(other, 'PUT', '/api/cart/discount', { code });
      await send(other, 'POST', '/api/cart/checkout', { addressId });
    });

    const pay = page.getByRole('button', { name: /^Continue to Payment/ });
    await pay.click();
    await toast(page, `The code ${code} cannot be used. This code has been used up.`).waitFor();
    await summary(page).getByText('This code has been used up.').waitFor();
    await page.getByText(`The code ${code} does not apply. Remove it to continue without it.`).waitFor();
    await eventually(() => pay.isDisabled(), true);
    assert.deepEqual((await send(page, 'GET', '/api/user/orders')).orders, []);
    await summary(page)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await eventually(() => pay.isDisabled(), false);
    await pay.click();
    await page.getByRole('button', { name: 'Pay ₹65' }).waitFor();
  },
  { expected: [/409/] },
);

test(
  'Unknown codes and codes for other items are explained',
  async ({ page }) => {
    const code = newCode('CHAI');
    await addCode(code, { kind: 'percent', value: 50, products: ['chai-masala'] });
    await newCustomer(page);
    await putIntoCart(page, 'goda-masala', 1, 0);
    await open(page, '/');
    await page.getByRole('button', { name: /^Cart/ }).click();
    await enter(panel(page), 'NO-SUCH-CODE');
    await panel(page).getByRole('alert').filter({ hasText: 'There is no such code.' }).waitFor();
    await panel(page).getByLabel('Discount code').fill(code);
    await panel(page).getByRole('button', { name: 'Apply' }).click();
    await panel(page).getByText('This code is not for the items in your cart.').waitFor();
    await putIntoCart(page, 'chai-masala', 1, 0);
    await page.reload();
    await page.getByRole('button', { name: /^Cart/ }).click();
    await panel(page)
      .getByText(/^You save ₹/)
      .waitFor();
    await waitForIdle(page);
    await expectNoViolations(page);
  },
  { expected: [/404/] },
);

test('An order that a code makes free is confirmed without a payment page', async ({ page }) => {
  const code = newCode('FREE');
  await addCode(code, { kind: 'percent', value: 100, maxUses: 1 });
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 1, 0);
  await saveAddress(page);
  await open(page, '/checkout');
  await enter(summary(page), code);
  await page.getByText('Your code covers the whole order.').waitFor();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL((url) => url.pathname === '/payment/status');
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  const [order] = (await send(page, 'GET', '/api/user/orders')).orders;
  assert.deepEqual([order.totalAmount, order.discountCode], [0, code]);
});

test('An admin adds a code, pauses it and resumes it', async ({ page }) => {
  await signIn(page, 'admin@mirasa.example', '/admins');
  await open(page, '/admins?section=discounts');
  const code = newCode('FORM');
  await page.getByRole('button', { name: 'New code' }).click();
  const dialog = page.getByRole('dialog', { name: 'New discount code' });
  await dialog.getByLabel('Code', { exact: false }).first().fill(code);
  await dialog.getByLabel('Per cent off').fill('12.5');
  await dialog.getByLabel('From', { exact: true }).fill('2026-11-01T18:30');
  await dialog.getByRole('checkbox', { name: 'First order only' }).check();
  await dialog.getByRole('checkbox', { name: 'Goda Masala' }).check();
  await dialog.getByRole('button', { name: 'Add code' }).click();
  await toast(page, `${code} added`).waitFor();
  const row = page.getByRole('row').filter({ hasText: code });
  await eventually(
    () => row.innerText(),
    /12\.50 %[\s\S]*Only 1 product[\s\S]*First order only[\s\S]*From 1 Nov 2026, 6:30 pm/,
  );
  await row.getByRole('button', { name: `Pause ${code}` }).click();
  await row.getByText('Paused').waitFor();
  await row.getByRole('button', { name: `Resume ${code}` }).click();
  await row.getByText('Active').waitFor();
});

const discount = (index, more = {}) => ({
  _id: `discount-${index}`,
  code: `DIWALI-${index}`,
  kind: 'percent',
  value: 20,
  maxUses: 500,
  oncePerCustomer: true,
  firstOrderOnly: true,
  minTotal: 499,
  categories: ['Beverages', 'South Indian'],
  products: ['goda-masala'],
  from: '2026-11-01T18:30',
  to: '2099-11-25T23:59',
  active: true,
  createdAt: '2026-11-01T06:35:00Z',
  updatedAt: '2026-11-01T06:35:00Z',
  uses: 342,
  held: 2,
  turnover: 124_500.5,
  cost: 31_126.65,
  ...more,
});

test('The section of discounts has no accessibility violations, and does not scroll sideways on any screen', async ({
  page,
}) => {
  const unlimited = { maxUses: null, from: null, to: null, categories: [], products: [], kind: 'amount', value: 50 };
  await openAdminWithMocks(page, {
    discounts: [discount(1), discount(2, unlimited), discount(3, { active: false })],
  });
  await open(page, '/admins?section=discounts');
  await page.getByRole('button', { name: 'Edit DIWALI-3' }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectNoViolationsOfBothLayouts(page, 'discounts');
  await page.getByRole('button', { name: 'Edit DIWALI-1' }).click();
  await page.getByRole('dialog', { name: 'Edit DIWALI-1' }).waitFor();
  await waitForIdle(page);
  await expectNoViolations(page);
});
