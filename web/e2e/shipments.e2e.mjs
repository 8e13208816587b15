// Parcels: the owner ships packed orders, the sandbox courier carries them, the customer follows; narrow screens.
import assert from 'node:assert/strict';
import { buy, details, testAfterSale } from './after-sale-fixtures.mjs';
import { expectNoViolations, showWholePageOnPhone } from './axe.mjs';
import { send } from './customer-fixtures.mjs';
import { base, eventually, expectNoSidewaysScroll, open, toast } from './fixtures.mjs';

const COURIER = '/sandbox/shiprocket';
const short = ({ _id }) => _id.slice(-8).toUpperCase();
const card = (admin, order) => admin.getByRole('article', { name: `Parcel of order ${short(order)}` });

async function pack(admin, ...orders) {
  await send(admin, 'PUT', '/api/admin/orders/packed', { orders: orders.map(({ _id }) => _id) });
}

/** Ships an order without the page. Returns its parcel when it has a label and a pickup. */
async function ship(admin, order) {
  await send(admin, 'POST', '/api/admin/shipments', { orders: [order._id] });
  let parcel;
  await eventually(async () => {
    const { shipments } = await send(admin, 'GET', '/api/admin/shipments?limit=100');
    parcel = shipments.find(({ orderId }) => orderId === order._id);
    return parcel.step;
  }, 'track');
  return parcel;
}

async function move(admin, { trackingNumber }, to) {
  const url = `${COURIER}/parcels/${trackingNumber}`;
  const response = await admin.request.post(url, { form: { to }, headers: { origin: base }, maxRedirects: 0 });
  assert.equal(response.status(), 303);
}

testAfterSale('A packed order is shipped, labelled, carried and delivered; both sides follow it', async (people) => {
  const { admin, shop, product } = people;
  const [order, other] = [await buy(shop, product), await buy(shop, product)];
  await pack(admin, order, other);
  await open(admin, '/admins?section=shipments');
  const toShip = admin.getByRole('region', { name: 'Packed, to ship' });
  await toShip.getByText(short(order)).waitFor();
  await toShip.getByRole('button', { name: /^Ship \d+ orders$/ }).click();
  await toast(admin, /on the way to the courier/).waitFor();
  await card(admin, order).getByText('Ready for the courier').waitFor();
  const parcel = await ship(admin, order);
  assert.ok(parcel.hasLabel && parcel.cost > 0);
  await ship(admin, other);
  await open(admin, '/admins?section=shipments&group=preparing');
  await card(admin, order).getByRole('checkbox').check();
  await card(admin, other).getByRole('checkbox').check();
  const href = await admin.getByRole('link', { name: /^2 labels/ }).getAttribute('href');
  const labels = await admin.request.get(href);
  assert.equal(labels.headers()['content-type'], 'application/pdf');
  assert.equal((await labels.body()).subarray(0, 5).toString(), '%PDF-');

  // The owner of the sandbox moves the parcel by hand.
  await admin.goto(`${COURIER}/parcels`);
  const item = admin.locator('.parcel').filter({ hasText: parcel.trackingNumber });
  await item.getByRole('button', { name: 'Picked up' }).click();
  await item.getByText('PICKED UP', { exact: true }).waitFor();
  await item.getByRole('button', { name: 'In transit', exact: true }).click();
  await item.getByRole('button', { name: 'Out for delivery' }).click();

  await eventually(
    async () => (await send(shop, 'GET', `/api/user/orders/${order._id}`)).order.shipment.status,
    'out_for_delivery',
  );
  await open(shop, `/orders?order=${order._id}`);
  const dialog = details(shop, order);
  await dialog.getByText('Arriving today').first().waitFor();
  await dialog.getByText('All courier updates').click();
  await dialog.getByText('Nagpur Hub (Maharashtra)').waitFor();
  const link = dialog.getByRole('link', { name: new RegExp(parcel.trackingNumber) });
  await eventually(() => link.getAttribute('href'), new RegExp(`${COURIER}/tracking/${parcel.trackingNumber}$`));
  await dialog.getByText('Order Shipped').waitFor();

  await move(admin, parcel, 'delivered');
  await eventually(
    async () => (await send(shop, 'GET', `/api/user/orders/${order._id}`)).order.orderStatus,
    'delivered',
  );
  await shop.reload();
  await details(shop, order).getByText('Order Delivered').waitFor();
  await open(admin, '/admins?section=shipments&group=delivered');
  await card(admin, order)
    .getByText(/^Delivered$/)
    .first()
    .waitFor();
});

testAfterSale('A parcel that came back is refunded and restocked, or sent again', async ({ admin, shop, product }) => {
  const [order, other] = [await buy(shop, product), await buy(shop, product)];
  await pack(admin, order, other);
  for (const each of [order, other]) {
    const parcel = await ship(admin, each);
    for (const to of ['picked_up', 'undelivered', 'returning', 'returned']) await move(admin, parcel, to);
    await eventually(
      async () => (await send(shop, 'GET', `/api/user/orders/${each._id}`)).order.shipment.status,
      'returned',
    );
  }
  await open(admin, '/admins?section=shipments&group=attention');
  await card(admin, order).getByRole('button', { name: 'Refund and restock' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Refund and restock' }).click();
  await toast(admin, 'Refunded and back in stock').waitFor();
  await card(admin, other).getByRole('button', { name: 'Send it again' }).click();
  await toast(admin, /1 parcel on the way/).waitFor();
  await eventually(
    async () => (await send(shop, 'GET', `/api/user/orders/${order._id}`)).order.orderStatus,
    'cancelled',
  );
  await eventually(
    async () => (await send(shop, 'GET', `/api/user/orders/${other._id}`)).order.shipment.status,
    'ready',
  );
});

testAfterSale(
  'The courier of one order is chosen by hand, and its parcel cancelled',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    await pack(admin, order);
    await open(admin, '/admins?section=shipments');
    const toShip = admin.getByRole('region', { name: 'Packed, to ship' });
    const boxes = toShip.getByRole('checkbox');
    await boxes.first().waitFor();
    const own = toShip
      .locator('label')
      .filter({ hasText: short(order) })
      .getByRole('checkbox');
    for (const box of await boxes.all()) await box.uncheck();
    await own.check();
    await toShip.getByRole('button', { name: 'Choose the courier' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByRole('radio', { name: /Blue Dart Air/ }).check();
    await dialog.getByRole('button', { name: 'Ship' }).click();
    await card(admin, order).getByText('Blue Dart Air').waitFor();
    await eventually(
      () =>
        card(admin, order)
          .getByText(/\.\.\.$/)
          .count(),
      0,
    );
    await card(admin, order).getByRole('button', { name: 'Cancel the parcel' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Cancel the parcel' }).click();
    await card(admin, order).getByText('Cancelled').waitFor();
  },
);

testAfterSale('The tracking number of another courier is typed in', async ({ admin, shop, product }) => {
  const order = await buy(shop, product);
  await open(admin, `/admins?section=orders&orderId=${order._id}`);
  await admin.getByRole('button', { name: `Show details of order ${short(order)}` }).click();
  await admin.getByRole('button', { name: 'Type in a tracking number' }).click();
  const dialog = admin.getByRole('dialog');
  await dialog.getByLabel('Courier').fill('India Post');
  await dialog.getByLabel('Tracking number').fill('EM123456789IN');
  await dialog.getByLabel('Link').fill('https://www.indiapost.gov.in/');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await toast(admin, 'Tracking number saved!').waitFor();
  await open(shop, `/orders?order=${order._id}`);
  await details(shop, order)
    .getByRole('link', { name: /EM123456789IN/ })
    .waitFor();
});

testAfterSale(
  'The section of shipments has no accessibility violations, and does not scroll sideways on any screen',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    await pack(admin, order, await buy(shop, product));
    await ship(admin, order);
    await open(admin, '/admins?section=shipments');
    await card(admin, order).waitFor();
    await expectNoSidewaysScroll(admin);
    await showWholePageOnPhone(admin);
    await expectNoViolations(admin);
  },
);
