// A packed order is cancelled by a request, a lost parcel is sent again, and an address that is not served, on the real server.
import { buy, details, openOrder, short, stockOf, testAfterSale } from './after-sale-fixtures.mjs';
import { expectNoViolations } from './axe.mjs';
import { putIntoCart, send } from './customer-fixtures.mjs';
import { base, eventually, open, phone, toast } from './fixtures.mjs';

const pack = (admin, order) => send(admin, 'PUT', '/api/admin/orders/packed', { orders: [order._id] });
const shown = async (shop, order) => (await send(shop, 'GET', `/api/user/orders/${order._id}`)).order;

async function askToCancel(shop, order) {
  await open(shop, `/orders?order=${order._id}`);
  const dialog = details(shop, order);
  await dialog.getByRole('button', { name: `Ask to cancel order ${short(order)}` }).click();
  const question = shop.getByRole('dialog', { name: `Ask to cancel order #${short(order)}?` });
  await question.getByText(/We answer within a day/).waitFor();
  await question.getByRole('button', { name: 'Ask to cancel', exact: true }).click();
  await toast(shop, 'Cancellation requested').waitFor();
  await dialog.getByText('Cancellation requested, we answer within a day.').waitFor();
  return dialog;
}

testAfterSale(
  'A packed order is cancelled when the owner accepts',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    await pack(admin, order);
    await eventually(() => stockOf(admin, product), [4800, 48, 49]);
    const dialog = await askToCancel(shop, order);
    await expectNoViolations(shop, 'cancellation requested');
    await eventually(async () => (await shown(shop, order)).refunds.length, 0);

    await open(admin, '/admins?section=to-do');
    await admin
      .getByRole('listitem')
      .filter({ hasText: /asks? to cancel/ })
      .getByRole('link')
      .click();
    await admin.getByRole('cell').getByText('Cancellation requested', { exact: true }).first().waitFor();
    await openOrder(admin, order);
    await expectNoViolations(admin, 'cancellation to decide');
    await admin.getByRole('button', { name: `Accept the cancellation of order ${short(order)}` }).click();
    const answer = admin.getByRole('dialog', { name: 'Cancel the order?' });
    await answer.getByText(/₹230.00 goes back to the customer/).waitFor();
    await answer.getByRole('button', { name: 'Cancel the order' }).click();
    await toast(admin, 'Order cancelled').waitFor();
    await eventually(() => stockOf(admin, product), [5000, 50, 50]);
    await shop.reload();
    await dialog.getByText('Order Cancelled', { exact: true }).waitFor();
  },
  { viewport: phone },
);

testAfterSale('A declined customer reads why', async ({ admin, shop, product }) => {
  const order = await buy(shop, product);
  await pack(admin, order);
  const dialog = await askToCancel(shop, order);
  await openOrder(admin, order);
  await admin.getByRole('button', { name: `Decline the cancellation of order ${short(order)}` }).click();
  const answer = admin.getByRole('dialog', { name: 'Decline the cancellation?' });
  await answer.getByRole('textbox').fill('The courier has fetched it this morning.');
  await answer.getByRole('button', { name: 'Decline', exact: true }).click();
  await toast(admin, 'Cancellation declined').waitFor();
  await shop.reload();
  await dialog.getByText('The courier has fetched it this morning.').first().waitFor();
  await eventually(() => dialog.getByRole('button', { name: /cancel order/i }).count(), 0);
});

testAfterSale('A lost parcel is sent again with packs from stock', async ({ admin, shop, product }) => {
  const order = await buy(shop, product);
  await pack(admin, order);
  await send(admin, 'POST', '/api/admin/shipments', { orders: [order._id] });
  await eventually(async () => (await shown(shop, order)).shipment?.status, 'ready');
  const { trackingNumber } = (await shown(shop, order)).shipment;
  for (const to of ['picked_up', 'lost']) {
    const url = `/sandbox/shiprocket/parcels/${trackingNumber}`;
    await admin.request.post(url, { form: { to }, headers: { origin: base }, maxRedirects: 0 });
  }
  await eventually(async () => (await shown(shop, order)).shipment.status, 'lost');
  await open(admin, '/admins?section=shipments&group=attention');
  const card = admin.getByRole('article', { name: `Parcel of order ${short(order)}` });
  await card.getByText('The parcel is lost. What now?').waitFor();
  await expectNoViolations(admin, 'lost parcel');
  await card.getByRole('button', { name: 'Send again' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await toast(admin, /1 parcel on the way/).waitFor();
  await eventually(() => stockOf(admin, product), [4600, 46, 48]);
  await eventually(async () => (await shown(shop, order)).shipment.status, 'ready');
});

testAfterSale(
  'An address that the courier does not serve cannot be ordered to',
  async ({ shop, product }) => {
    const address = {
      addressName: 'Islands',
      name: 'Asha Kulkarni',
      phone: '9876543210',
      addressLine1: '1 Beach Road',
      addressLine2: '',
      city: 'Port Blair',
      state: 'Andaman and Nicobar Islands',
      pincode: '744101',
    };
    await send(shop, 'POST', '/api/addresses', address);
    await putIntoCart(shop, product._id, 1, 0);
    await open(shop, '/checkout');
    await shop.getByText('Our courier does not deliver to this pincode yet').waitFor();
    await shop.getByText('Our courier does not deliver to 744101 yet. Choose another address to continue.').waitFor();
    await eventually(() => shop.getByRole('button', { name: /Continue to Payment/ }).isDisabled(), true);
    await expectNoViolations(shop, 'address that is not served');
  },
  { viewport: phone },
);
