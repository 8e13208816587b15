// What the admin does in the console: edit a product, pack and ship an order.
import assert from 'node:assert/strict';
import { desktop } from '../fixtures.mjs';
import { ADMIN, alone, buyAsAnother, flow, openWithWorker, sendAsAdmin, short, signIn } from './fixtures.mjs';

async function withProduct(engine, act) {
  const { product } = await sendAsAdmin('POST', '/api/admin/addProduct', {
    product_name: `Test Masala ${process.pid} ${engine.name} ${Date.now()}`,
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
  });
  try {
    await act(product);
  } finally {
    await sendAsAdmin('DELETE', `/api/admin/deleteProduct/${product._id}`);
  }
}

flow(
  'Console: a product is edited, and the shop shows it',
  ({ page, engine }) =>
    withProduct(engine, async ({ _id, product_name: name }) => {
      await openWithWorker(page, '/about-us');
      await signIn(page, ADMIN, '/admins');
      await page.open(`/admins?section=products&search=${encodeURIComponent(name)}`);
      await page.role('link', `Edit ${name}`).click();
      await page.label('MRP 1').fill('73');
      await page.label(/^Best before/).fill('7 Months');
      await page.role('button', 'Save product').click();
      await page.message(/Product updated successfully!/);
      const { product } = await sendAsAdmin('GET', `/api/products/${_id}`);
      assert.deepEqual([product.mrp[0], product.best_before], [73, '7 Months']);
      await page.open(`/product/${_id}`);
      await page.role('heading', name).shown();
      await page.text('₹73').shown();
    }),
  { viewport: desktop },
);

flow(
  'Console: an order is packed and shipped',
  async ({ page }) => {
    const order = await buyAsAnother('goda-masala');
    await openWithWorker(page, '/about-us');
    await signIn(page, ADMIN, '/admins');
    await page.open(`/admins?section=orders&orderId=${order._id}`);
    await page.role('checkbox', /^Select order/).click();
    // 'Ship' acts on all packed orders.
    await alone(async () => {
      const selected = page.role('region', 'Selected orders');
      await selected.role('button', 'Mark as packed').click();
      await page.message(/1 order packed!/);
      await page.role('cell', 'Confirmed Packed').shown();

      await page.open('/admins?section=shipments');
      const toShip = page.role('region', 'Packed, to ship');
      await toShip.text(new RegExp(short(order))).shown();
      await toShip.role('button', /^Ship (the|\d+) orders?$/).click();
      await page.message(/on the way to the courier/);
    });
    await page
      .role('article', `Parcel of order ${short(order)}`)
      .text('Ready for the courier')
      .shown();
    const { shipments } = await sendAsAdmin('GET', '/api/admin/shipments?limit=100');
    assert.ok(shipments.find(({ orderId }) => orderId === order._id)?.trackingNumber, 'it has a tracking number');
  },
  { viewport: desktop },
);
