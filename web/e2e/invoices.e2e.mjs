// Invoices: packing orders in the admin area, the files of customers and admins, the section of a month, narrow screens.
import assert from 'node:assert/strict';
import { invoice, openAdminWithMocks } from './admin-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { newCustomer, putIntoCart, saveAddress, send } from './customer-fixtures.mjs';
import { base, eventually, newVisitor, open, phone, signIn, tablet, test, toast, waitForIdle } from './fixtures.mjs';

const INVOICES = '/admins?section=invoices&month=2026-11';
const selected = (page) => page.getByRole('region', { name: 'Selected orders' });
const selectOrder = (page, at) => page.getByRole('checkbox', { name: /^Select order/ }).nth(at);

/** A new customer with a paid order. Returns its id. */
async function buy(page) {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 2, 1);
  const { _id: addressId } = await saveAddress(page);
  const { redirectUrl, merchantOrderId } = await send(page, 'POST', '/api/cart/checkout', { addressId });
  await page.request.post(redirectUrl, { form: { outcome: 'pay' }, headers: { origin: base } });
  const result = () => send(page, 'GET', `/api/payment/order/db/${merchantOrderId}`);
  await eventually(async () => (await result()).order.paymentStatus, 'completed');
  return (await result()).order._id;
}

async function isPdf(page, href) {
  const response = await page.request.get(href);
  assert.equal(response.status(), 200, href);
  assert.equal(response.headers()['content-type'], 'application/pdf');
  assert.equal((await response.body()).subarray(0, 5).toString(), '%PDF-');
}

test('An order is packed; its customer and the admin open the same invoice', async ({ page }) => {
  const id = await buy(page);
  await open(page, `/orders?order=${id}`);
  await page.getByText('You get the invoice when we send your order.').waitFor();

  const admin = await (await newVisitor()).newPage();
  await signIn(admin, 'admin@mirasa.example', '/admins');
  await open(admin, `/admins?section=orders&orderId=${id}`);
  await selectOrder(admin, 0).check();
  const slips = selected(admin).getByRole('link', { name: /^Packing slips/ });
  await isPdf(admin, await slips.getAttribute('href'));
  await selected(admin).getByRole('button', { name: 'Mark as packed' }).click();
  await toast(admin, '1 order packed!').waitFor();
  await admin.getByRole('cell', { name: 'Confirmed Packed' }).waitFor();
  await eventually(() => selected(admin).getByRole('button', { name: 'Mark as packed' }).count(), 0);
  await admin.getByRole('button', { name: /^Show details/ }).click();
  const row = admin.getByRole('region', { name: 'Invoice' }).getByRole('link', { name: /^Tax invoice MIR/ });
  await isPdf(admin, await row.getAttribute('href'));

  await page.reload();
  const link = page.getByRole('dialog').getByRole('link', { name: /^Tax invoice MIR/ });
  const href = await link.getAttribute('href');
  await isPdf(page, href);
  const stranger = await (await newVisitor()).newPage();
  await signIn(stranger, 'stranger@example.com');
  assert.equal((await stranger.request.get(href)).status(), 404);

  await admin.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Invoices' }).click();
  await admin.getByRole('table', { name: 'Invoices and credit notes' }).waitFor();
  for (const file of await admin.getByRole('region', { name: 'For the accountant' }).getByRole('link').all()) {
    const response = await admin.request.get(await file.getAttribute('href'));
    assert.equal(response.headers()['content-type'], 'text/csv; charset=utf-8');
  }
  await Promise.all([admin, stranger].map((each) => each.context().close()));
});

test(
  'An order that cannot be packed keeps the reason in the list until it is packed',
  async ({ page }) => {
    const mocks = await openAdminWithMocks(page);
    mocks.reject = { 'PUT orders/packed': { status: 409, text: 'Order 00000001 cannot be packed.' } };
    await open(page, '/admins?section=orders');
    await selectOrder(page, 0).check();
    await selectOrder(page, 1).check();
    const pack = selected(page).getByRole('button', { name: 'Mark as packed (1)' });
    await pack.click();
    await toast(page, 'Order 00000001 cannot be packed.').waitFor();
    const reason = page.getByRole('alert').filter({ hasText: 'Not packed. Order 00000001 cannot be packed.' });
    await reason.waitFor();
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Stock' }).click();
    await page.goBack();
    await reason.waitFor();
    await selectOrder(page, 0).check();
    await selectOrder(page, 1).check();
    mocks.reject = {};
    await pack.click();
    await toast(page, '1 order packed!').waitFor();
    await page.getByRole('cell', { name: 'Confirmed Packed' }).waitFor();
    await eventually(() => reason.count(), 0);
  },
  { expected: [/409/] },
);

test(
  'The month is in the URL; an empty month leads to the one before, a failed one can be loaded again',
  async ({ page }) => {
    const note = invoice(9, { kind: 'credit note', number: 'CRN/26-27/000001', refersTo: 'MIR/26-27/000001' });
    const invoices = [invoice(1), invoice(2, { cgst: 0, sgst: 0, igst: 29.52, placeOfSupply: '29-Karnataka' }), note];
    const mocks = await openAdminWithMocks(page, { invoices });
    await open(page, INVOICES);
    const table = page.getByRole('table', { name: 'Invoices and credit notes' });
    await eventually(() => table.getByRole('row').count(), 4);
    await eventually(() => page.getByLabel('Invoices less credit notes').innerText(), /Total\s*₹620\.00/);
    await page.getByRole('button', { name: 'Previous month' }).click();
    await page.getByText('No invoices in October 2026.').waitFor();
    await eventually(() => page.url(), /month=2026-10$/);
    await page.goBack();
    await table.waitFor();
    mocks.reject = { 'GET invoices': { status: 500, text: '' } };
    await open(page, '/admins?section=invoices&month=2026-09');
    await page.getByRole('alert').filter({ hasText: 'Failed to fetch invoices' }).waitFor();
    mocks.reject = {};
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No invoices in September 2026.').waitFor();
  },
  { expected: [/500/] },
);

for (const [name, viewport] of Object.entries({ phone, tablet })) {
  test(
    `The section of invoices has no accessibility violations on a ${name} and does not scroll sideways`,
    async ({ page }) => {
      await openAdminWithMocks(page, { invoices: [invoice(1), invoice(2)] });
      await open(page, INVOICES);
      await page.getByText('MIR/26-27/000002').waitFor();
      await waitForIdle(page);
      await expectNoViolations(page);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      assert.equal(scrollWidth, clientWidth);
    },
    { viewport },
  );
}
