// Money after the sale, on the real server: a customer cancels, an admin refunds, sets 'cancelled', deletes and restores.
// The settings of the sandbox gateway are for all tests: tests that wait for the end of a refund are in this file only.
import assert from 'node:assert/strict';
import { buy, details, openOrder, setStatus, short, stockOf, testAfterSale } from './after-sale-fixtures.mjs';
import { expectNoViolations } from './axe.mjs';
import { send } from './customer-fixtures.mjs';
import { base, eventually, open, phone, toast } from './fixtures.mjs';

const FAULTS = '/sandbox/phonepe/faults';

/** All refunds fail while `act` runs. */
async function withFailingRefunds(admin, act) {
  await send(admin, 'POST', FAULTS, { refunds: 'fail', refund_ms: 0 });
  try {
    await act();
  } finally {
    await admin.request.delete(FAULTS, { headers: { origin: base } });
  }
}

/** Waits for the worker: the pages request the order again after 5 or 30 seconds. */
const refundsEnd = (admin, order, states) =>
  eventually(async () => {
    const { orders } = await send(admin, 'GET', `/api/admin/orders?orderId=${order._id}`);
    return orders[0].refunds.map(({ state }) => state);
  }, states);

const submit = (dialog) => dialog.getByRole('button', { name: 'Refund', exact: true }).click();

testAfterSale(
  'A customer cancels: the question, the stock, the refund; the other tab agrees',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    await eventually(() => stockOf(admin, product), [4800, 48, 49]);
    await open(shop, `/orders?order=${order._id}`);
    const dialog = details(shop, order);
    await dialog
      .getByText(/^You can cancel until 11:59 PM IST today, (\d+ h ?)?(\d+ min|less than a minute)? ?left$/)
      .waitFor();
    const other = await shop.context().newPage();
    await open(other, `/orders?order=${order._id}`);
    await dialog.getByRole('button', { name: `Cancel order ${short(order)}` }).click();
    const question = shop.getByRole('dialog', { name: `Cancel order #${short(order)}?` });
    await question.getByText('₹230.00 goes back to the account you paid from, within 3-5 days.').waitFor();
    await eventually(() => shop.evaluate(() => document.activeElement?.textContent), 'Keep the order');
    await expectNoViolations(shop, 'question');
    await question.getByRole('button', { name: 'Cancel order', exact: true }).click();
    await toast(shop, 'Order cancelled').waitFor();
    await question.waitFor({ state: 'hidden' });
    await dialog.getByText('Order Cancelled', { exact: true }).waitFor();
    await dialog.getByText('You cancelled the order').waitFor();
    await eventually(() => dialog.getByRole('button', { name: /^Cancel order/ }).count(), 0);
    await details(other, order).getByText('Order Cancelled', { exact: true }).waitFor();
    await eventually(() => stockOf(admin, product), [5000, 50, 50]);
    await refundsEnd(admin, order, ['completed']);
    await open(shop, `/orders?order=${order._id}`);
    await dialog.getByText('Sent back on').waitFor();
    await expectNoViolations(shop, 'cancelled');
    const refunds = await openOrder(admin, order);
    await refunds.getByText('Everything that was paid has gone back.').waitFor();
    await admin
      .getByRole('region', { name: 'History' })
      .getByText('Cancelled by the customer', { exact: true })
      .waitFor();
  },
  { viewport: phone },
);

testAfterSale(
  'An order that is shipped meanwhile is not cancelled, and the page says why',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    await open(shop, '/orders');
    const button = shop.getByRole('button', { name: `Cancel order ${short(order)}` });
    await button.waitFor();
    await setStatus(admin, order, 'shipped');
    await button.click();
    await shop.getByRole('button', { name: 'Cancel order', exact: true }).last().click();
    const answer = shop.getByRole('dialog', { name: 'This order was not cancelled' });
    await answer.getByText('This order is shipped and can no longer be cancelled.').waitFor();
    await answer.getByRole('link', { name: 'contact page' }).waitFor();
    await expectNoViolations(shop, 'refused');
    await answer.getByRole('button', { name: 'Close' }).last().click();
    const card = shop.getByRole('article', { name: `Order ${short(order)}` });
    await card.getByText('Shipped').waitFor();
    await card.getByRole('button', { name: 'View Details' }).click();
    await details(shop, order)
      .getByText('Your parcel is on its way, so this order can no longer be cancelled.')
      .waitFor();
  },
  { expected: [/409/], viewport: phone },
);

testAfterSale('An admin refunds the whole order; restocking is a choice', async ({ admin, shop, product }) => {
  for (const restock of [false, true]) {
    const order = await buy(shop, product);
    const before = await stockOf(admin, product);
    const panel = await openOrder(admin, order);
    await panel.getByRole('button', { name: 'Refund…' }).click();
    const dialog = admin.getByRole('dialog', { name: `Refund order ${short(order)}` });
    await dialog.locator('output').getByText('₹230.00').waitFor();
    await dialog.getByLabel('Reason').fill('We cannot deliver there');
    await dialog.getByRole('checkbox', { name: 'Put the packs back into stock' }).setChecked(restock);
    await submit(dialog);
    await toast(admin, 'Refund of ₹230.00 requested').waitFor();
    await panel.getByText('Everything that was paid has gone back.').waitFor();
    await refundsEnd(admin, order, ['completed']);
    await openOrder(admin, order);
    await panel.getByText('Done', { exact: true }).waitFor();
    await eventually(() => panel.getByRole('button', { name: 'Refund…' }).count(), 0, 'nothing is left');
    await eventually(() => stockOf(admin, product), restock ? [before[0] + 200, before[1] + 2, before[2] + 1] : before);
    const history = admin.getByRole('region', { name: 'History' });
    await history
      .getByText(/^Refund completed: ₹230/)
      .first()
      .waitFor();
    await open(shop, `/orders?order=${order._id}`);
    await details(shop, order).getByText('We cannot deliver there').waitFor();
    await details(shop, order).getByText('Order: Confirmed').waitFor();
  }
});

testAfterSale('An admin refunds chosen packs', async ({ admin, shop, product }) => {
  const order = await buy(shop, product);
  const panel = await openOrder(admin, order);
  await panel.getByRole('button', { name: 'Refund…' }).click();
  const dialog = admin.getByRole('dialog', { name: `Refund order ${short(order)}` });
  await dialog.getByRole('radio', { name: 'Chosen packs' }).check();
  await dialog.getByRole('button', { name: /^More: .* 50 g packs/ }).click();
  await dialog.locator('output').getByText('₹60.00').waitFor();
  await submit(dialog);
  await dialog.getByText('Reason is required').waitFor();
  await expectNoViolations(admin, 'refund');
  await dialog.getByLabel('Reason').fill('One pouch was torn');
  await dialog.getByRole('checkbox', { name: 'Put the packs back into stock' }).check();
  await submit(dialog);
  await toast(admin, 'Refund of ₹60.00 requested').waitFor();
  await dialog.waitFor({ state: 'hidden' });
  await panel.getByText('₹170.00 of ₹230.00 can still be refunded.').waitFor();
  await eventually(() => stockOf(admin, product), [4850, 49, 49]);
  // One pack of 50 g is left to choose.
  await panel.getByRole('button', { name: 'Refund…' }).click();
  await dialog.getByRole('radio', { name: 'Chosen packs' }).check();
  const more = dialog.getByRole('button', { name: /^More: .* 50 g packs/ });
  await more.click();
  await eventually(() => more.isDisabled(), true);
});

testAfterSale(
  'A refund of another amount fails, stands out on both sides, and is repeated',
  async ({ admin, shop, product }) => {
    const order = await buy(shop, product);
    const panel = await openOrder(admin, order);
    await withFailingRefunds(admin, async () => {
      await panel.getByRole('button', { name: 'Refund…' }).click();
      const dialog = admin.getByRole('dialog', { name: `Refund order ${short(order)}` });
      await dialog.getByRole('radio', { name: 'Another amount' }).check();
      await dialog.getByLabel('Amount in rupees').fill('230.01');
      await dialog.getByLabel('Reason').fill('For the trouble');
      await submit(dialog);
      await dialog.getByText('Only ₹230.00 can still be refunded').waitFor();
      await dialog.getByLabel('Amount in rupees').fill('20.50');
      await submit(dialog);
      await dialog.waitFor({ state: 'hidden' });
      await refundsEnd(admin, order, ['failed']);
      await openOrder(admin, order);
      await panel.getByText('Failed', { exact: true }).waitFor();
      await panel.getByText(/^Payment gateway: ./).waitFor();
      await panel.getByText('₹230.00 of ₹230.00 can still be refunded.').waitFor();
      await expectNoViolations(admin, 'failed refund');
      await open(shop, `/orders?order=${order._id}`);
      await details(shop, order).getByText('We are looking into it').first().waitFor();
    });
    await panel.getByRole('button', { name: 'Retry the refund of ₹20.50' }).click();
    await toast(admin, 'Refund of ₹20.50 requested again').waitFor();
    await panel.getByText('was repeated').waitFor();
    await refundsEnd(admin, order, ['failed', 'completed']);
    await openOrder(admin, order);
    await panel.getByText('Done', { exact: true }).waitFor();
    await panel.getByText('₹209.50 of ₹230.00 can still be refunded.').waitFor();
    assert.equal(
      await panel.getByRole('button', { name: /^Retry/ }).count(),
      0,
      'a repeated one is not repeated again',
    );
    await open(shop, `/orders?order=${order._id}`);
    const seen = details(shop, order);
    await seen.getByText('For the trouble').waitFor();
    await seen.getByText('Sent back on').waitFor();
    await eventually(() => seen.getByText('We are looking into it').count(), 0, 'only its repetition');
  },
);

testAfterSale('Cancelled for a paid order asks about money and stock', async ({ admin, shop, product }) => {
  const first = await buy(shop, product);
  const second = await buy(shop, product);
  await open(admin, `/admins?section=orders&userId=${first.userId}`);
  const row = (order) => admin.locator('tr', { hasText: short(order) });
  const question = admin.getByRole('dialog', { name: 'Refund and restock, too?' });
  const choose = async (order) => {
    await admin.getByLabel(`New status of order ${short(order)}`).selectOption('cancelled');
    await row(order).getByRole('button', { name: 'Update' }).click();
    await question.waitFor();
  };
  await choose(first);
  await eventually(() => admin.evaluate(() => document.activeElement?.textContent), 'Back');
  await admin.keyboard.press('Enter');
  await question.waitFor({ state: 'hidden' });
  await eventually(() => admin.evaluate(() => document.activeElement?.textContent), 'Update');
  await row(first).getByText('Confirmed').first().waitFor();
  await choose(first);
  await question.getByRole('button', { name: 'Only the status' }).click();
  await toast(admin, 'Order status updated!').waitFor();
  await eventually(() => stockOf(admin, product), [4600, 46, 48], 'as before');
  assert.equal((await send(admin, 'GET', `/api/admin/orders?orderId=${first._id}`)).orders[0].refunds.length, 0);

  await admin.getByRole('checkbox', { name: `Select order ${short(second)}` }).check();
  const bar = admin.getByRole('region', { name: 'Selected orders' });
  await bar.getByRole('combobox').selectOption('cancelled');
  await bar.getByRole('button', { name: 'Update all' }).click();
  await question.getByText(`Order ${short(second)} is paid: ₹230.00 can go back.`).waitFor();
  await expectNoViolations(admin, 'question');
  await question.getByRole('button', { name: 'Refund and restock' }).click();
  await bar.waitFor({ state: 'detached' });
  await eventually(() => stockOf(admin, product), [4800, 48, 49], 'the second one is back');
  await open(shop, `/orders?order=${second._id}`);
  await details(shop, second).getByText('Cancelled by the shop').waitFor();
});

testAfterSale('A deleted order is listed and restored', async ({ admin, shop, product }) => {
  const paid = await buy(shop, product);
  const unpaid = await buy(shop, product, 'pending');
  await open(admin, `/admins?section=orders&userId=${paid.userId}`);
  const question = admin.getByRole('dialog', { name: 'Are you sure you want to delete this order?' });
  await admin.getByRole('button', { name: `Delete order ${short(unpaid)}` }).click();
  await question.getByText(/money that still arrives is returned automatically/).waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await toast(admin, 'Order deleted!').waitFor();
  await eventually(() => stockOf(admin, product), [4800, 48, 49], 'the stock of the unpaid one is released');
  await admin.getByRole('button', { name: `Delete order ${short(paid)}` }).click();
  await question.getByText(/money and goods stay as they are. ₹230.00 can be refunded first/).waitFor();
  await question.getByRole('button', { name: 'Refund first…' }).click();
  await admin
    .getByRole('dialog', { name: `Refund order ${short(paid)}` })
    .getByRole('button', { name: 'Back' })
    .click();
  await admin.getByRole('button', { name: `Delete order ${short(paid)}` }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await question.getByText('Say why, or refund the order first').waitFor();
  await question.getByLabel(/Why the money is kept/).fill('Delivered by hand');
  await question.getByRole('button', { name: 'Delete' }).click();
  await admin.getByText('No orders found.').waitFor();
  await open(shop, '/orders');
  await shop.getByText('No orders yet.').waitFor();
  await admin.getByRole('checkbox', { name: 'Deleted orders' }).click();
  await admin.waitForURL(/deleted=true/);
  await admin.getByRole('heading', { name: 'Deleted orders', level: 1 }).waitFor();
  await eventually(() => admin.locator('tbody tr:not([hidden]) th').count(), 2);
  await eventually(() => admin.getByRole('button', { name: /^Delete order/ }).count(), 0);
  await expectNoViolations(admin, 'deleted orders');
  await admin.getByRole('button', { name: `Restore order ${short(paid)}` }).click();
  await toast(admin, 'Order restored!').waitFor();
  await eventually(() => admin.locator('tbody tr:not([hidden]) th').count(), 1);
  await open(shop, '/orders');
  await shop.getByRole('article', { name: `Order ${short(paid)}` }).waitFor();
});
