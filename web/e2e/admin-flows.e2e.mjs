// The admin area on the real server: changes are visible immediately, also in another browser. Every test creates its own
// product and deletes it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { newCustomer, putIntoCart, saveAddress, send } from './customer-fixtures.mjs';
import { base, eventually, open, signIn, test, toast, waitForIdle, withVisitor } from './fixtures.mjs';

const ADMIN = 'admin@mirasa.example';
const ORDERS = '/admins?section=orders';

let productCount = 0;
const newName = () => `Test Masala ${process.pid} ${Date.now()} ${productCount++}`;
const at = (search) => `/admins?section=products&search=${encodeURIComponent(search)}`;
const cards = (shop, name) => shop.locator('main article').filter({ hasText: name });

/** A test in the admin area, with a visitor in another browser and a product of its own. */
function testAdminFlow(name, act, options = {}) {
  test(
    name,
    async ({ page, context }) => {
      await signIn(page, ADMIN);
      const product = options.withoutProduct ? null : await addProduct(page);
      try {
        await withVisitor({}, (shop) => act({ page, context, shop, product }));
      } finally {
        if (product)
          await page.request.delete(`/api/admin/deleteProduct/${product._id}`, { headers: { origin: base } });
      }
    },
    options,
  );
}

async function addProduct(page, changes = {}) {
  const body = {
    product_name: newName(),
    category: ['Snacks'],
    ingredients: ['Cumin', 'Clove'],
    mrp: [60, 110],
    net_wt: [
      { value: 50, unit: 'g' },
      { value: 100, unit: 'g' },
    ],
    images: ['goda-masala pouch.webp'],
    stock: 5000,
    packaging_50gms: 50,
    packaging_100gms: 50,
    ...changes,
  };
  return (await send(page, 'POST', '/api/admin/addProduct', body)).product;
}

/** The status of the product's page for a visitor. */
const statusOf = async (shop, id) => (await shop.request.get(`/product/${id}`)).status();

/** Whether the list of products, freshly opened, has it. */
async function isListed(shop, name) {
  await open(shop, '/sub-products');
  return (await cards(shop, name).count()) > 0;
}

testAdminFlow(
  'A product is added with two images and is in the shop at once; deleted, it is gone',
  async ({ page, shop }) => {
    const name = newName();
    await open(page, '/admins?section=products&product=new');
    const clip = { x: 0, y: 0, width: 400, height: 500 };
    const files = [
      { name: 'testOnPhoneAndDesktop front.png', mimeType: 'image/png', buffer: await page.screenshot({ clip }) },
      {
        name: 'testOnPhoneAndDesktop table.jpg',
        mimeType: 'image/jpeg',
        buffer: await page.screenshot({ clip, type: 'jpeg' }),
      },
    ];
    await page.getByLabel('Product name').fill(name);
    await page.getByLabel('Category 1', { exact: true }).fill('Snacks');
    await page.getByLabel('MRP 1', { exact: true }).fill('62.5');
    await page.getByLabel('MRP 2', { exact: true }).fill('115');
    await page.getByLabel('Ingredients 1', { exact: true }).fill('Cumin');
    await page.getByLabel('Stock (grams)').fill('900');
    await page.getByLabel('50 g pouches').fill('9');
    await page.getByLabel('100 g pouches', { exact: true }).fill('4');
    await page.locator('input[type=file]').setInputFiles(files);
    const pictures = page.getByRole('list', { name: 'Pictures' }).getByRole('listitem');
    await eventually(() => pictures.count(), 2);
    await page.getByRole('button', { name: 'Add product' }).click();
    await toast(page, 'Product added successfully!').waitFor();

    const [product] = (await send(page, 'GET', `/api/admin/products?search=${encodeURIComponent(name)}`)).products;
    try {
      assert.deepEqual([product.mrp, product.stock, product.images.length], [[62.5, 115], 900, 2]);
      assert.ok(await isListed(shop, name));
      await cards(shop, name).getByRole('link', { name }).first().click();
      await shop.waitForURL(`**/product/${product._id}`);
      await shop.getByRole('heading', { name, level: 1 }).waitFor();
      await eventually(() => shop.getByRole('list', { name: 'Pictures' }).getByRole('button').count(), 2);
      const shown = shop.getByRole('button', { name: /^Zoom/ }).locator('img');
      await eventually(() => shown.evaluate((image) => image.complete && image.naturalWidth > 0), true);

      await open(page, at(name));
      await page.getByRole('button', { name: `Delete ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await toast(page, 'Product deleted successfully!').waitFor();
      assert.equal(await statusOf(shop, product._id), 404);
      assert.equal(await isListed(shop, name), false);
    } finally {
      await page.request.delete(`/api/admin/deleteProduct/${product._id}`, { headers: { origin: base } });
    }
  },
  { withoutProduct: true },
);

testAdminFlow('Hidden, a product is gone from the shop; shown, it is back', async ({ page, shop, product }) => {
  const { _id, product_name: name } = product;
  assert.ok(await isListed(shop, name));
  await open(page, at(name));
  const visible = page.getByLabel(`Visible: ${name}`);
  await visible.click();
  await toast(page, 'Product is now hidden!').waitFor();
  assert.equal(await statusOf(shop, _id), 404);
  assert.equal(await isListed(shop, name), false);
  await eventually(() => visible.isChecked(), false);
  await visible.click();
  await toast(page, 'Product is now visible!').waitFor();
  assert.equal(await statusOf(shop, _id), 200);
  assert.ok(await isListed(shop, name));
});

testAdminFlow(
  'A trending rank puts a product on the home page, and takes the rank from another',
  async ({ page, shop, product }) => {
    const { _id, product_name: name } = product;
    const { products } = await (await shop.request.get('/api/products/api/trending')).json();
    const before = products.find(({ trendingRank }) => trendingRank === 3);
    await open(page, at(name));
    const rank = page.getByLabel(`Trending Rank: ${name}`);
    try {
      await rank.selectOption('3');
      await toast(page, 'Trending rank set to 3').waitFor();
      await open(shop, '/');
      const trending = shop.locator('#trending');
      await trending.getByText(name).first().waitFor();
      if (before) await eventually(() => trending.getByText(before.product_name, { exact: true }).count(), 0);
      await rank.selectOption('');
      await toast(page, 'Trending rank cleared').waitFor();
      await open(shop, '/');
      await eventually(() => trending.getByText(name).count(), 0);
      assert.equal(await statusOf(shop, _id), 200, 'and stays in the shop');
    } finally {
      if (before) await send(page, 'PUT', `/api/admin/products/${before._id}/trending-rank`, { trendingRank: 3 });
    }
  },
);

testAdminFlow(
  "A new price is the shop's price at once, and the change is written down",
  async ({ page, shop, product }) => {
    const { _id, product_name: name } = product;
    await open(shop, `/product/${_id}`);
    await shop.getByText('₹60').first().waitFor();
    await open(page, at(name));
    await page.getByRole('link', { name: `Edit ${name}` }).click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByRole('button', { name: 'History' }).click();
    await eventually(() => history.getByRole('listitem').count(), 1);
    await page.getByLabel('MRP 1', { exact: true }).fill('73');
    await page.getByRole('button', { name: 'Save product' }).click();
    await toast(page, 'Product updated successfully!').waitFor();
    await open(shop, `/product/${_id}`);
    await shop.getByText('₹73').first().waitFor();
    await eventually(() => shop.getByText('₹60', { exact: true }).count(), 0);

    await open(page, `/admins?section=products&product=${_id}`);
    await history.getByRole('button', { name: 'History' }).click();
    await history.getByText('Product changed').waitFor();
    const entries = await history.getByRole('listitem').allInnerTexts();
    assert.match(entries[0], /^Product changed: .*mrp/i);
    assert.match(entries[1], new RegExp(`^Product added: ${name}`));
    assert.ok(entries.every((entry) => entry.includes(ADMIN)));
  },
);

testAdminFlow(
  'Two admins edit the same product: the second sees an error, and can merge their change',
  async ({ page, context, product }) => {
    const form = `/admins?section=products&product=${product._id}`;
    const second = await context.newPage();
    await open(page, form);
    await open(second, form);
    await page.getByLabel('Best before').fill('7 Months');
    await second.getByLabel('HSN code').fill('09109100');
    await page.getByRole('button', { name: 'Save product' }).click();
    await toast(page, 'Product updated successfully!').waitFor();
    await second.getByRole('button', { name: 'Save product' }).click();
    await second.getByRole('alert').getByText('Somebody else changed this product meanwhile.').first().waitFor();
    const now = async () => (await send(page, 'GET', `/api/products/api/productInfo/${product._id}`)).product;
    assert.notEqual((await now()).hsn_code, '09109100', 'nothing was overwritten');
    await second.getByRole('button', { name: 'Load the newest, keep my changes' }).click();
    await eventually(() => second.getByLabel('Best before').inputValue(), '7 Months');
    await second.getByRole('button', { name: 'Save product' }).click();
    await toast(second, 'Product updated successfully!').waitFor();
    const { best_before, hsn_code } = await now();
    assert.deepEqual([best_before, hsn_code], ['7 Months', '09109100']);
  },
  { expected: [/409/] },
);

testAdminFlow('Price and visibility are edited in the table of products', async ({ page, shop, product }) => {
  const name = product.product_name;
  await open(page, `${at(name)}&view=grid`);
  await page.getByLabel(`Price of 50 g of ${name}`).fill('72.5');
  await page.getByLabel(`Stock (g) of ${name}`).fill('+250');
  await page.getByText('1 product changed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(page, '1 product updated!').waitFor();
  const saved = (await send(page, 'GET', `/api/admin/products?search=${product._id}`)).products[0];
  assert.deepEqual([saved.mrp, saved.stock], [[72.5, 110], 5250]);
  await open(shop, `/product/${product._id}`);
  await shop.getByText('₹72.50').first().waitFor();
  await page.getByLabel(`Visible: ${name}`).uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await eventually(() => statusOf(shop, product._id), 404);
});

/** Orders the product through the checkout and the sandbox's payment page. Returns the order. */
async function buy(shop, product, outcome) {
  await putIntoCart(shop, product._id, 2, 1);
  await open(shop, '/checkout');
  await shop.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  await shop.getByRole('button', { name: /^Continue to Payment/ }).click();
  await shop.getByRole('button', { name: outcome }).click();
  await shop.waitForURL((url) => url.pathname === '/payment/status');
  await shop.getByRole('heading', { level: 1, name: /^Payment (Success|Failed)/ }).waitFor();
  return (await send(shop, 'GET', '/api/user/orders')).orders[0];
}

testAdminFlow('An order is found, shipped, emailed about, exported and deleted', async ({ page, shop, product }) => {
  const email = await newCustomer(shop);
  await saveAddress(shop, { addressLine1: '12, Laxmi Road; "Tower B"' });
  const failed = await buy(shop, product, 'Fail');
  await send(shop, 'DELETE', '/api/cart/api/cart/clear');
  const paid = await buy(shop, product, /^Pay ₹/);
  const short = paid._id.slice(-8).toUpperCase();

  await open(page, ORDERS);
  await page.getByLabel('User ID', { exact: true }).fill(paid.userId);
  const rows = page.locator('tbody tr:not([hidden]) th');
  await eventually(() => rows.allInnerTexts(), [short, failed._id.slice(-8).toUpperCase()]);

  await page.getByLabel(`New status of order ${short}`).selectOption('shipped');
  await page.locator('tr', { hasText: short }).getByRole('button', { name: 'Update' }).click();
  await toast(page, 'Order status updated!').waitFor();
  await page.getByRole('button', { name: `Show details of order ${short}` }).click();
  await eventually(
    () => page.getByRole('region', { name: 'History' }).getByRole('listitem').allInnerTexts(),
    (entries) => entries[0]?.startsWith('Status set to shipped') && entries[0].includes(ADMIN),
  );
  await page.getByRole('button', { name: 'Audit log' }).click();
  await eventually(
    () => page.getByRole('region', { name: 'Audit log' }).getByRole('listitem').allInnerTexts(),
    (entries) => entries[0]?.startsWith('Order status: confirmed to shipped') && entries[0].includes(ADMIN),
  );
  await open(shop, '/orders');
  await shop
    .getByRole('article', { name: `Order ${short}` })
    .getByText('Shipped')
    .waitFor();
  const mailbox = async () => (await shop.request.get('/sandbox/mail')).text();
  await eventually(
    async () => (await mailbox()).split('<li>').filter((item) => item.includes(email)),
    (emails) => emails.some((text) => /on its way/i.test(text)),
  );

  await exported(page, paid.userId);

  for (const each of [short, failed._id.slice(-8).toUpperCase()]) {
    await page.getByRole('button', { name: `Delete order ${each}` }).click();
    if (each === short) await page.getByLabel(/Why the money is kept/).fill('Delivered by hand');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: `Delete order ${each}` }).waitFor({ state: 'detached' });
  }
  await page.getByText('No orders found.').waitFor();
  await open(shop, '/orders');
  await shop.getByText('No orders yet.').waitFor();
});

const COLUMNS = [
  'Order ID',
  'User ID',
  'Total Amount',
  'Status',
  'Payment',
  'Created At',
  'Items',
  'Delivery Name',
  'Delivery Phone',
  'Delivery Address',
  'Delivery City',
  'Delivery State',
  'Delivery Pincode',
];

/** The exported CSV file, parsed, has the orders that the table was filtered to. */
async function exported(page, userId) {
  await waitForIdle(page);
  const coming = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const file = await coming;
  const today = new Date(Date.now() + 5.5 * 3600_000).toISOString().slice(0, 10);
  assert.equal(file.suggestedFilename(), `orders_${today}.csv`);
  const bytes = await readFile(await file.path());
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'a byte order mark, for spreadsheets');
  const rows = parse(bytes, { bom: true, columns: true });
  assert.equal(rows.length, 2);
  assert.deepEqual(Object.keys(rows[0]), COLUMNS);
  const { orders } = await send(page, 'GET', `/api/admin/orders?userId=${userId}`);
  assert.deepEqual(
    rows.map(({ Items, ...rest }) => rest),
    orders.map((order) => ({
      'Order ID': order._id,
      'User ID': order.userId,
      'Total Amount': order.totalAmount.toFixed(2),
      Status: order.orderStatus,
      Payment: order.paymentStatus,
      'Created At': order.createdAt,
      'Delivery Name': order.deliveryAddress.name,
      // A value that a spreadsheet would take for a formula has an apostrophe before it.
      'Delivery Phone': `'${order.deliveryAddress.phone}`,
      'Delivery Address': `${order.deliveryAddress.addressLine1} ${order.deliveryAddress.addressLine2}`,
      'Delivery City': order.deliveryAddress.city,
      'Delivery State': order.deliveryAddress.state,
      'Delivery Pincode': order.deliveryAddress.pincode,
    })),
  );
  const size = (line) => (line.qty_50g > 0 ? 50 : 100);
  const item = (line) => `${line.productName} (${size(line)} g) x${line.quantity} @₹${line.price}`;
  assert.deepEqual(
    rows.map(({ Items }) => Items),
    orders.map(({ items }) => items.map(item).join('; ')),
  );
}
