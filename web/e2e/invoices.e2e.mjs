// Invoices: packing orders in the admin area, the files of customers and admins, the section of a month, narrow screens.
import assert from 'node:assert/strict';
import { invoice, openAdminWithMocks } from './admin-mocks.mjs';
import { expectNoViolationsOfBothLayouts } from './axe.mjs';
import { newCustomer, placeOrder } from './customer-fixtures.mjs';
import { eventually, expectNoSidewaysScroll, open, signIn, test, toast, withClient, withVisitor } from './fixtures.mjs';

const INVOICES = '/admins?section=invoices&month=2026-11';
const selected = (page) => page.getByRole('region', { name: 'Selected orders' });
const selectOrder = (page, at) => page.getByRole('checkbox', { name: /^Select order/ }).nth(at);

async function isPdf(page, href) {
  const response = await page.request.get(href);
  assert.equal(response.status(), 200, href);
  assert.equal(response.headers()['content-type'], 'application/pdf');
  assert.equal((await response.body()).subarray(0, 5).toString(), '%PDF-');
}

test('An order is packed; its customer and the admin open the same invoice', async ({ page }) => {
  await newCustomer(page);
  const { _id: id } = await placeOrder(page, 'goda-masala', 2, 1);
  await open(page, `/orders?order=${id}`);
  await page.getByText('You get the invoice when we send your order.').waitFor();

  await withVisitor({}, async (admin) => {
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
    await withClient(async (stranger) => {
      await signIn(stranger, 'stranger@example.com');
      assert.equal((await stranger.request.get(href)).status(), 404);
    });

    await admin.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Invoices' }).click();
    await admin.getByRole('table', { name: 'Invoices and credit notes' }).waitFor();
    for (const file of await admin.getByRole('region', { name: 'For the accountant' }).getByRole('link').all()) {
      const response = await admin.request.get(await file.getAttribute('href'));
      assert.equal(response.headers()['content-type'], 'text/csv; charset=utf-8');
    }
  });
});

test('The section of invoices has no accessibility violations, and does not scroll sideways on any screen', async ({
  page,
}) => {
  await openAdminWithMocks(page, { invoices: [invoice(1), invoice(2)] });
  await open(page, INVOICES);
  await page.getByText('MIR/26-27/000002').waitFor();
  await expectNoSidewaysScroll(page);
  await expectNoViolationsOfBothLayouts(page, 'invoices');
});
