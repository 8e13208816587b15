// The packing table: ten paid orders are packed, booked and printed with four clicks; narrow screens.
import assert from 'node:assert/strict';
import { buy, short, testAfterSale } from './after-sale-fixtures.mjs';
import { expectNoViolations, showWholePageOnPhone } from './axe.mjs';
import { send } from './customer-fixtures.mjs';
import { eventually, expectNoSidewaysScroll, open } from './fixtures.mjs';

/** Other tests order and pack at the same time: the page shows only these orders. */
async function showOnly(admin, orders) {
  const ids = orders.map(({ _id }) => _id);
  await admin.route('**/api/admin/pack-and-ship', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const json = await response.json();
    json.orders = json.orders.filter(({ order }) => ids.includes(order._id));
    json.total = json.orders.length;
    await route.fulfill({ response, json });
  });
}

testAfterSale('Ten orders are packed, shipped and printed with four clicks', async ({ admin, shop, product }) => {
  const orders = [];
  for (let count = 0; count < 10; count++) orders.push(await buy(shop, product));
  await showOnly(admin, orders);
  await open(admin, '/admins');
  let clicks = 0;
  const click = async (found) => {
    await found.click();
    clicks += 1;
  };
  await click(admin.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: /^To do/ }));
  await click(admin.getByRole('link', { name: /^Pack \d/ }));
  const rows = admin.getByRole('list', { name: 'Orders to pack and ship' }).getByRole('article');
  await eventually(() => rows.count(), 10);
  const names = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
  assert.deepEqual(
    names,
    orders.map((order) => `Order ${short(order)}`),
    'the oldest comes first',
  );
  await rows.first().getByText('₹32.90').waitFor();
  await click(admin.getByRole('button', { name: 'Pack, ship and print' }));
  const panel = admin.getByRole('region', { name: 'Packed and shipped' });
  await panel.getByText('10 orders packed and booked').waitFor();
  const file = panel.getByRole('link', { name: /^Open the file/ });
  await eventually(() => file.evaluate((link) => link === document.activeElement), true);
  const href = await file.getAttribute('href');
  const [opened] = await Promise.all([admin.context().waitForEvent('page'), click(file)]);
  await opened.close();
  assert.equal(clicks, 4);
  const response = await admin.request.get(href);
  assert.equal(response.headers()['content-type'], 'application/pdf');
  assert.equal(response.headers()['x-left-out'], undefined, 'all ten are in the file');
  // Back from the file.
  await admin.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await admin.getByText('Nothing to pack.').waitFor();
  const { shipments } = await send(admin, 'GET', '/api/admin/shipments?limit=100');
  for (const { _id } of orders)
    assert.equal(shipments.filter(({ orderId }) => orderId === _id).length, 1, 'one parcel for each order');
});

testAfterSale(
  'The packing table has no accessibility violations, and does not scroll sideways on any screen',
  async ({ admin, shop, product }) => {
    await showOnly(admin, [await buy(shop, product), await buy(shop, product)]);
    await open(admin, '/admins?section=orders');
    await admin.locator('[data-head]').getByRole('link', { name: 'Pack and ship' }).click();
    await admin.getByText('₹32.90').first().waitFor();
    await expectNoSidewaysScroll(admin);
    await showWholePageOnPhone(admin);
    await expectNoViolations(admin);
  },
);
