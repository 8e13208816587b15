// A customer's text on the owner's own screens: what wants to be markup stays text, and runs nothing.
import assert from 'node:assert/strict';
import { manyOrders, openDesk, reservation } from './admin-desk.mjs';
import { eventually, open, scenario } from './shop.mjs';

const hostile = `"'></td></script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 2"><xss-probe>`;

/** Nothing of it became an element or ran. (A refusal by the page's policy would stand in the console.) */
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
  };
}

scenario("A customer's name and address are text at the order desk", async ({ page }) => {
  const order = hostileOrder();
  const concern = {
    _id: 'concern-1',
    orderId: order._id,
    kind: 'amount mismatch',
    about: hostile,
    detail: hostile,
    createdAt: '2026-11-14T06:35:00Z',
    orderDeleted: false,
  };
  const entries = [{ at: '2026-11-14T06:35:00Z', who: hostile, action: hostile, detail: hostile }];
  const reserved = [reservation(1, { customerName: hostile, customerEmail: hostile })];
  await openDesk(page, { orders: [order], concerns: [concern], reserved, entries });
  await open(page, '/admins?section=orders');
  await page
    .getByRole('button', { name: /^Show details/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('region', { name: 'History' }).getByRole('listitem').waitFor();
  await staysText(page);
});

scenario("A product's text is text at the product desk and in its form", async ({ page }) => {
  const desk = await openDesk(page);
  const [product] = desk.products;
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
