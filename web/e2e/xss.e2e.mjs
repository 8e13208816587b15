// Text of customers and products in the admin area: markup in it stays text and does not run.
import assert from 'node:assert/strict';
import { listedProblem, manyOrders, openAdminWithMocks, reservation } from './admin-mocks.mjs';
import { refund } from './customer-fixtures.mjs';
import { eventually, open, test } from './fixtures.mjs';

const hostile = `"'></td></script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 2"><xss-probe>`;

/** Nothing of it became an element or ran. (A violation of the page's policy would be in the console.) */
async function staysText(page) {
  await eventually(() => page.locator('body').innerText(), /<xss-probe>/);
  assert.equal(await page.locator('xss-probe, img[src="x"]').count(), 0);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
}

function hostileOrder() {
  const [order] = manyOrders(1);
  const { deliveryAddress } = order;
  const typed = Object.fromEntries(Object.keys(deliveryAddress).map((field) => [field, hostile]));
  return {
    ...order,
    items: order.items.map((item) => ({ ...item, productName: hostile })),
    deliveryAddress: { ...typed, state: 'Maharashtra' },
    paymentStatus: 'failed',
    paymentDetails: { errorMessage: hostile },
    refunds: [refund({ reason: hostile, requestedBy: hostile, error: hostile, state: 'failed' })],
    events: [{ _id: 'e1', at: '2026-11-14T06:35:00Z', kind: 'ended', by: hostile, text: hostile, status: null }],
  };
}

test("A customer's name and address are text in the admin order list", async ({ page }) => {
  const order = hostileOrder();
  const issue = {
    _id: 'issue-1',
    orderId: order._id,
    kind: 'amount mismatch',
    about: hostile,
    detail: hostile,
    createdAt: '2026-11-14T06:35:00Z',
    orderDeleted: false,
  };
  const entries = [{ at: '2026-11-14T06:35:00Z', who: hostile, action: hostile, detail: hostile }];
  const reserved = [reservation(1, { customerName: hostile, customerEmail: hostile })];
  await openAdminWithMocks(page, { orders: [order], issues: [issue], reserved, entries });
  await open(page, '/admins?section=orders');
  await page
    .getByRole('button', { name: /^Show details/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Audit log' }).click();
  await page.getByRole('region', { name: 'Audit log' }).getByRole('listitem').waitFor();
  await page.getByRole('region', { name: 'Refunds' }).waitFor();
  await staysText(page);
});

test(
  "A customer's report is text in the list of problems",
  async ({ page }) => {
    const problems = [
      listedProblem(1, {
        message: hostile,
        customerName: hostile,
        customerEmail: hostile,
        productNames: { 'goda-masala': hostile },
        images: [hostile],
      }),
      listedProblem(2, {
        state: 'declined',
        response: hostile,
        resolvedBy: hostile,
        resolvedAt: '2026-11-16T06:35:00Z',
      }),
    ];
    await openAdminWithMocks(page, { problems });
    await open(page, '/admins?section=problems');
    await page.getByRole('article').nth(1).waitFor();
    await staysText(page);
    await page.getByRole('button', { name: 'Decline', exact: true }).click();
    await page.getByRole('dialog', { name: 'Decline the report' }).waitFor();
    await staysText(page);
  },
  { expected: [/404/] },
);

test("A product's text is text in the admin product list and in its form", async ({ page }) => {
  const mocks = await openAdminWithMocks(page);
  const [product] = mocks.products;
  Object.assign(product, {
    product_name: hostile,
    category: [hostile],
    description: hostile,
    ingredients: [hostile],
    images: [],
    image_details: [],
  });
  await open(page, '/admins?section=products');
  await staysText(page);
  await open(page, `/admins?section=products&product=${product._id}`);
  const typed = () => page.locator('input, textarea').evaluateAll((all) => all.map(({ value }) => value).join());
  await eventually(typed, /<xss-probe>/);
  assert.equal(await page.locator('xss-probe').count(), 0);
  assert.equal(await page.evaluate(() => window.pwned), undefined);
});
