// Problems with a parcel, on the real server: reported with photos on the day of delivery, then replaced, refunded or
// declined. The customer sees every step.
import assert from 'node:assert/strict';
import { buy, details, setStatus, short, stockOf, testAfterSale } from './after-sale-fixtures.mjs';
import { expectNoViolations } from './axe.mjs';
import { base, eventually, open, phone, toast } from './fixtures.mjs';

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
    await eventually(() => shop.getByRole('button', { name: /^Report a problem/ }).count(), 0, 'one at a time');
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
    await eventually(() => stockOf(admin, product), [4750, 47, 49]);

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
