// After the sale, on the real server: cancelling, refunds, problems, buying again, deleting and restoring. Every test has
// a product and customers of its own. The sandbox gateway's settings are for all tests, so they run one after the other.
import assert from 'node:assert/strict';
import { expectNoViolations } from './axe.mjs';
import { expectCartLabel, newCustomer, putIntoCart, saveAddress, send } from './customer-fixtures.mjs';
import { base, eventually, newVisitor, open, phone, signIn, test, toast } from './fixtures.mjs';

const ADMIN = 'admin@mirasa.example';
const FAULTS = '/sandbox/phonepe/faults';
const short = (order) => order._id.slice(-8).toUpperCase();

let productCount = 0;

async function addProduct(admin) {
  const body = {
    product_name: `After Masala ${process.pid} ${Date.now()} ${productCount++}`,
    category: ['Snacks'],
    ingredients: ['Cumin'],
    mrp: [60, 110],
    net_wt: [
      { value: 50, unit: 'g' },
      { value: 100, unit: 'g' },
    ],
    images: ['goda-masala pouch.webp'],
    stock: 5000,
    packaging_50gms: 50,
    packaging_100gms: 50,
  };
  return (await send(admin, 'POST', '/api/admin/addProduct', body)).product;
}

/** A test with a customer in one browser and an admin in another. */
function testAfterSale(name, act, { viewport, ...options } = {}) {
  test(
    name,
    async ({ page: admin }) => {
      await signIn(admin, ADMIN);
      const product = await addProduct(admin);
      const visitor = await newVisitor(viewport ? { viewport } : {});
      const shop = await visitor.newPage();
      const email = await newCustomer(shop);
      try {
        await act({ admin, shop, product, email });
      } finally {
        await admin.request.delete(FAULTS, { headers: { origin: base } });
        await admin.request.delete(`/api/admin/deleteProduct/${product._id}`, { headers: { origin: base } });
        await visitor.close();
      }
    },
    options,
  );
}

/** Two packs of 50 g and one of 100 g, ₹230, paid unless `outcome` says otherwise. */
async function buy(shop, product, outcome = /^Pay ₹/) {
  await putIntoCart(shop, product._id, 2, 1);
  const { addresses } = await send(shop, 'GET', '/api/addresses');
  const { _id: addressId } = addresses[0] ?? (await saveAddress(shop));
  const { redirectUrl } = await send(shop, 'POST', '/api/cart/checkout', { addressId });
  await shop.goto(redirectUrl);
  await shop.getByRole('button', { name: outcome }).click();
  await shop.waitForURL((url) => url.pathname === '/payment/status');
  await shop.getByRole('heading', { level: 1, name: /^Payment (Success|Failed|Pending)/ }).waitFor();
  return (await send(shop, 'GET', '/api/user/orders')).orders[0];
}

const setStatus = (admin, order, orderStatus) =>
  send(admin, 'PUT', `/api/admin/orders/${order._id}/status`, { orderStatus });

const stockOf = async (admin, product) => {
  const { products } = await send(admin, 'GET', `/api/admin/products?search=${product._id}`);
  const { stock, packaging_50gms, packaging_100gms } = products.find(({ _id }) => _id === product._id);
  return [stock, packaging_50gms, packaging_100gms];
};

/** Opens the order in the admin area, with its details. */
async function openOrder(admin, order) {
  await open(admin, `/admins?section=orders&orderId=${order._id}`);
  await admin.getByRole('button', { name: `Show details of order ${short(order)}` }).click();
  return admin.getByRole('region', { name: 'Refunds' });
}

const details = (shop, order) => shop.getByRole('dialog', { name: `Order #${short(order)}` });

testAfterSale(
  'A customer cancels: the question, the stock, the refund; the other tab agrees',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    assert.deepEqual(await stockOf(admin, product), [4800, 48, 49]);
    await open(shop, `/orders?order=${order._id}`);
    const dialog = details(shop, order);
    await dialog
      .getByText(/^You can cancel until 11:59 PM IST today, (\d+ h ?)?(\d+ min|less than a minute)? ?left$/)
      .waitFor();
    const other = await shop.context().newPage();
    await open(other, `/orders?order=${order._id}`);
    await dialog.getByRole('button', { name: `Cancel order ${short(order)}` }).click();
    const question = shop.getByRole('dialog', { name: `Cancel order #${short(order)}?` });
    await question.getByText('₹230 go back to the account you paid from, within 3-5 days.').waitFor();
    await eventually(() => shop.evaluate(() => document.activeElement?.textContent), 'Keep the order');
    await expectNoViolations(shop, 'question');
    await question.getByRole('button', { name: 'Cancel order', exact: true }).click();
    await toast(shop, 'Order cancelled').waitFor();
    await question.waitFor({ state: 'hidden' });
    await dialog.getByText('Order Cancelled').waitFor();
    await dialog.getByText('You cancelled the order').waitFor();
    assert.equal(await dialog.getByRole('button', { name: /^Cancel order/ }).count(), 0);
    await details(other, order).getByText('Order Cancelled').waitFor();
    assert.deepEqual(await stockOf(admin, product), [5000, 50, 50]);
    // The worker sends it, and the page follows.
    await dialog.getByText('Sent back on').waitFor();
    await expectNoViolations(shop, 'cancelled');
    const refunds = await openOrder(admin, order);
    await refunds.getByText('Everything that was paid has gone back.').waitFor();
    await admin.getByRole('region', { name: 'History' }).getByText('Cancelled by the customer').waitFor();
  },
  { viewport: phone },
);

testAfterSale(
  'An order that is shipped meanwhile is not cancelled, and the page says why',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    await open(shop, '/orders');
    const button = shop.getByRole('button', { name: `Cancel order ${short(order)}` });
    await button.waitFor();
    await setStatus(admin, order, 'shipped');
    await button.click();
    await shop.getByRole('button', { name: 'Cancel order', exact: true }).last().click();
    const answer = shop.getByRole('dialog', { name: 'This order was not cancelled' });
    await answer.getByText('This order is shipped and can no longer be cancelled.').waitFor();
    await answer.getByRole('link', { name: 'contact page' }).waitFor();
    await answer.getByRole('button', { name: 'Close' }).last().click();
    const card = shop.getByRole('article', { name: `Order ${short(order)}` });
    await card.getByText('Shipped').waitFor();
    await card.getByRole('button', { name: 'View Details' }).click();
    await details(shop, order)
      .getByText('Your parcel is on its way, so this order can no longer be cancelled.')
      .waitFor();
  },
  { expected: [/409/] },
);

testAfterSale(
  'An admin refunds packs, then an amount; a failed refund is repeated',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    const panel = await openOrder(admin, order);
    const refund = () => panel.getByRole('button', { name: 'Refund…' }).click();
    await refund();
    const dialog = admin.getByRole('dialog', { name: `Refund order ${short(order)}` });
    await dialog.getByRole('radio', { name: 'Chosen packs' }).check();
    await dialog.getByRole('button', { name: /^More: .* 50 g packs/ }).click();
    await dialog.getByText('₹60.00').waitFor();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByText('Reason is required').waitFor();
    await expectNoViolations(admin, 'refund');
    await dialog.getByLabel('Reason').fill('One pouch was torn');
    await dialog.getByRole('checkbox', { name: 'Put the packs back into stock' }).check();
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await toast(admin, 'Refund of ₹60 requested').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await panel.getByText('₹170 of ₹230 can still be refunded.').waitFor();
    assert.deepEqual(await stockOf(admin, product), [4850, 49, 49]);
    await panel.getByText('Done', { exact: true }).waitFor();

    await send(admin, 'POST', FAULTS, { refunds: 'fail', refund_ms: 0 });
    await refund();
    await dialog.getByRole('radio', { name: 'Another amount' }).check();
    await dialog.getByLabel('Amount in rupees').fill('170.01');
    await dialog.getByLabel('Reason').fill('For the trouble');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByText('Only ₹170 can still be refunded').waitFor();
    await dialog.getByLabel('Amount in rupees').fill('20.50');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await panel.getByText('Failed', { exact: true }).waitFor();
    await panel.getByText('₹170 of ₹230 can still be refunded.').waitFor();
    await open(shop, `/orders?order=${order._id}`);
    await details(shop, order).getByText('We are looking into it').first().waitFor();

    await admin.request.delete(FAULTS, { headers: { origin: base } });
    await panel.getByRole('button', { name: 'Retry the refund of ₹20.50' }).click();
    await toast(admin, 'Refund of ₹20.50 requested again').waitFor();
    await panel.getByText('was repeated').waitFor();
    await eventually(() => panel.getByText('Done', { exact: true }).count(), 2);
    await panel.getByText('₹149.50 of ₹230 can still be refunded.').waitFor();
    await open(shop, `/orders?order=${order._id}`);
    const seen = details(shop, order);
    await seen.getByText('One pouch was torn').waitFor();
    await eventually(() => seen.getByText('Sent back on').count(), 2);
    assert.equal(await seen.getByText('We are looking into it').count(), 0, 'only its repetition');
  },
);

testAfterSale('Cancelled for a paid order asks about money and stock', async ({ admin, shop, product }) => {
  const first = await buy(shop, product);
  const second = await buy(shop, product);
  await open(admin, `/admins?section=orders&userId=${first.userId}`);
  const row = (order) => admin.locator('tr', { hasText: short(order) });
  const question = admin.getByRole('dialog', { name: 'Refund and restock, too?' });
  const choose = async (order) => {
    await admin.getByLabel(`New status of order ${short(order)}`).selectOption('cancelled');
    await row(order).getByRole('button', { name: 'Update' }).click();
    await question.waitFor();
  };
  await choose(first);
  await eventually(() => admin.evaluate(() => document.activeElement?.textContent), 'Back');
  await admin.keyboard.press('Enter');
  await question.waitFor({ state: 'hidden' });
  await eventually(() => admin.evaluate(() => document.activeElement?.textContent), 'Update');
  await row(first).getByText('Confirmed').first().waitFor();
  await choose(first);
  await question.getByRole('button', { name: 'Only the status' }).click();
  await toast(admin, 'Order status updated!').waitFor();
  assert.deepEqual(await stockOf(admin, product), [4600, 46, 48], 'as before');
  assert.equal((await send(admin, 'GET', `/api/admin/orders?orderId=${first._id}`)).orders[0].refunds.length, 0);

  await admin.getByRole('checkbox', { name: `Select order ${short(second)}` }).check();
  const bar = admin.getByRole('region', { name: 'Selected orders' });
  await bar.getByRole('combobox').selectOption('cancelled');
  await bar.getByRole('button', { name: 'Update all' }).click();
  await question.getByText(`Order ${short(second)} is paid: ₹230 can go back.`).waitFor();
  await expectNoViolations(admin, 'question');
  await question.getByRole('button', { name: 'Refund and restock' }).click();
  await bar.waitFor({ state: 'detached' });
  assert.deepEqual(await stockOf(admin, product), [4800, 48, 49], 'the second one is back');
  await open(shop, `/orders?order=${second._id}`);
  await details(shop, second).getByText('Cancelled by the shop').waitFor();
});

testAfterSale('A deleted order is listed and restored', async ({ admin, shop, product }) => {
  const paid = await buy(shop, product);
  const unpaid = await buy(shop, product, 'Leave it pending');
  await open(admin, `/admins?section=orders&userId=${paid.userId}`);
  const question = admin.getByRole('dialog', { name: 'Are you sure you want to delete this order?' });
  await admin.getByRole('button', { name: `Delete order ${short(unpaid)}` }).click();
  await question.getByText(/money that still arrives is returned automatically/).waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await toast(admin, 'Order deleted!').waitFor();
  assert.deepEqual(await stockOf(admin, product), [4800, 48, 49], 'the stock of the unpaid one is released');
  await admin.getByRole('button', { name: `Delete order ${short(paid)}` }).click();
  await question.getByText(/money and goods stay as they are. ₹230 can be refunded first/).waitFor();
  await question.getByRole('button', { name: 'Refund first…' }).click();
  await admin
    .getByRole('dialog', { name: `Refund order ${short(paid)}` })
    .getByRole('button', { name: 'Back' })
    .click();
  await admin.getByRole('button', { name: `Delete order ${short(paid)}` }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await admin.getByText('No orders found.').waitFor();
  await open(shop, '/orders');
  await shop.getByText('No orders yet.').waitFor();
  await admin.getByRole('checkbox', { name: 'Deleted orders' }).check();
  await admin.waitForURL(/deleted=true/);
  await admin.getByRole('heading', { name: 'Deleted orders', level: 1 }).waitFor();
  await eventually(() => admin.locator('tbody tr:not([hidden]) th').count(), 2);
  assert.equal(await admin.getByRole('button', { name: /^Delete order/ }).count(), 0);
  await expectNoViolations(admin, 'deleted orders');
  await admin.getByRole('button', { name: `Restore order ${short(paid)}` }).click();
  await toast(admin, 'Order restored!').waitFor();
  await eventually(() => admin.locator('tbody tr:not([hidden]) th').count(), 1);
  await open(shop, '/orders');
  await shop.getByRole('article', { name: `Order ${short(paid)}` }).waitFor();
});

testAfterSale(
  'A problem is reported with photos, replaced, and followed by the customer',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    await setStatus(admin, order, 'delivered');
    await open(shop, '/orders');
    await shop.getByRole('button', { name: /^Report a problem/ }).click();
    const form = shop.getByRole('dialog', { name: 'Something is wrong with my parcel' });
    await form.getByRole('button', { name: 'Send report' }).click();
    await form.getByText('Choose the packs that have a problem').waitFor();
    await expectNoViolations(shop, 'form with errors');
    await form.getByRole('button', { name: /^More: .* 50 g packs/ }).click();
    await form.getByLabel('What is wrong?').fill('One pouch was torn.\nThe carton was wet.');
    const clip = { x: 0, y: 0, width: 300, height: 200 };
    await form.locator('input[type=file][multiple]').setInputFiles([
      { name: 'pouch.png', mimeType: 'image/png', buffer: await shop.screenshot({ clip }) },
      { name: 'carton.jpg', mimeType: 'image/jpeg', buffer: await shop.screenshot({ clip, type: 'jpeg' }) },
      { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('torn') },
    ]);
    await form.getByText('note.txt is not a JPEG, PNG or WebP picture').waitFor();
    await form.getByRole('button', { name: /^Remove photo 1/ }).click();
    await form.getByRole('button', { name: 'Send report' }).click();
    await toast(shop, 'Thank you, we have your report').waitFor();
    await form.waitFor({ state: 'hidden' });
    assert.equal(await shop.getByRole('button', { name: /^Report a problem/ }).count(), 0, 'one at a time');
    await open(shop, `/orders?order=${order._id}`);
    const problem = shop.getByRole('article', { name: /^Problem/ });
    await problem.getByText('We are looking into it').waitFor();
    await problem.getByRole('button', { name: 'Enlarge photo 1 of 1' }).click();
    const photo = shop.getByRole('dialog', { name: 'Photo' }).locator('img');
    await eventually(() => photo.evaluate((image) => image.complete && image.naturalWidth), 300);
    await shop.keyboard.press('Escape');

    await open(admin, '/admins?section=problems');
    const item = admin.getByRole('article', { name: `Problem with order ${short(order)}` });
    await item.getByText('One pouch was torn.').waitFor();
    await item.getByText(`${product.product_name}: 1 × 50 g`).waitFor();
    await expectNoViolations(admin, 'problems');
    const sections = admin.getByRole('navigation', { name: 'Sections' });
    const waiting = async () =>
      Number(/\d+/.exec(await sections.getByRole('link', { name: /^Problems/ }).innerText()) ?? 0);
    await eventually(waiting, (count) => count >= 1);
    await item.getByRole('button', { name: 'Replace' }).click();
    const resolve = admin.getByRole('dialog', { name: 'Send a replacement' });
    await resolve.getByLabel('Words for the customer').fill('Sorry! A new pouch is on its way.');
    await resolve.getByRole('button', { name: 'Replace' }).click();
    await toast(admin, 'Replacement ordered').waitFor();
    await item.getByText('Replaced, under way').waitFor();
    assert.deepEqual(await stockOf(admin, product), [4750, 47, 49]);

    await open(shop, `/orders?order=${order._id}`);
    await problem.getByText('Sorry! A new pouch is on its way.').waitFor();
    await problem.getByRole('link', { name: /^Order #/ }).click();
    await shop.getByText('Replacement for order').first().waitFor();
    await shop.getByRole('dialog').getByText('₹0.00').first().waitFor();
    await expectNoViolations(shop, 'replacement');
  },
  { viewport: phone },
);

testAfterSale('Declined with words; refunded by another amount', async ({ admin, shop, product }) => {
  const order = await buy(shop, product);
  await setStatus(admin, order, 'delivered');
  const report = async () => {
    const response = await shop.request.post(`/api/user/orders/${order._id}/problems`, {
      headers: { origin: base },
      multipart: { message: 'Torn', lines: JSON.stringify([{ productId: product._id, qty_50g: 1 }]) },
    });
    assert.equal(response.status(), 201, await response.text());
  };
  await report();
  await open(admin, '/admins?section=problems');
  const item = admin.getByRole('article', { name: `Problem with order ${short(order)}` });
  await item.getByRole('button', { name: 'Decline' }).click();
  const decline = admin.getByRole('dialog', { name: 'Decline the report' });
  await decline.getByRole('button', { name: 'Decline' }).click();
  await decline.getByText('The customer must read why').waitFor();
  await decline.getByLabel('Words for the customer').fill('The pouch was opened.');
  await decline.getByRole('button', { name: 'Decline' }).click();
  await item.waitFor({ state: 'detached' });
  await report();
  await open(admin, '/admins?section=problems');
  await item.getByRole('button', { name: 'Refund' }).click();
  const refund = admin.getByRole('dialog', { name: 'Refund the customer' });
  await refund.getByText('These packs: ₹60.00').waitFor();
  await refund.getByRole('radio', { name: 'Another amount' }).check();
  await refund.getByLabel('Amount in rupees').fill('25');
  await refund.getByRole('button', { name: 'Refund', exact: true }).click();
  await toast(admin, 'Refund requested').waitFor();
  await open(shop, `/orders?order=${order._id}`);
  const dialog = details(shop, order);
  await dialog.getByText('The pouch was opened.').waitFor();
  await dialog.getByText('₹25.00').first().waitFor();
});

testAfterSale('Buy it again: from the card, and by the link of an email', async ({ admin, shop, product }) => {
  const order = await buy(shop, product);
  await open(shop, `/orders?buy-again=${order._id}`);
  const dialog = details(shop, order);
  await dialog.getByText('Hungry for the same?').waitFor();
  await expectCartLabel(shop, 'Cart');
  await dialog.getByRole('button', { name: /^Buy it again/ }).click();
  const cart = shop.getByRole('dialog', { name: 'Your Cart' });
  await cart.getByText(product.product_name).waitFor();
  await toast(shop, 'Your items are in the cart').waitFor();
  await cart.getByRole('button', { name: 'Close' }).click();
  await expectCartLabel(shop, 'Cart, 3 packs');
  await send(shop, 'DELETE', '/api/cart/api/cart/clear');

  const { version } = (await send(admin, 'GET', `/api/products/api/productInfo/${product._id}`)).product;
  await send(admin, 'PUT', `/api/admin/updateProduct/${product._id}`, {
    ...product,
    version,
    mrp: [72, 110],
    packaging_100gms: 0,
  });
  await open(shop, '/orders');
  await shop.getByRole('button', { name: /^Buy it again/ }).click();
  await cart.getByText('Not everything is as you ordered it').waitFor();
  await cart.getByText(`${product.product_name} (100 g) is sold out.`).waitFor();
  await cart.getByText(`${product.product_name} (50 g) costs ₹72 now, ₹60 before.`).waitFor();
  await expectNoViolations(shop, 'cart with a note');
  await cart.getByRole('button', { name: 'Close' }).click();
  await expectCartLabel(shop, 'Cart, 2 packs');
});
