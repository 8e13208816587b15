// The way back from the payment gateway, and the details of an order as a page of the history. What both say is tested in
// src/app/pages/account.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import { newCustomer, order, testOnPhone } from './customer-fixtures.mjs';
import { eventually, open } from './fixtures.mjs';

testOnPhone('/api/payment/redirect is the page of the payment result', async ({ page }) => {
  await newCustomer(page);
  await mockApi(page, '/api/payment/order/db/MIR-TEST-1', (request) =>
    request.fulfill({ json: { success: true, message: 'ok', order: order() } }),
  );
  await open(page, '/api/payment/redirect?merchantOrderId=MIR-TEST-1');
  await page.getByText('Payment successful! Your order has been confirmed.').waitFor();
  await page.getByText('MIR-TEST-1').waitFor();
  await page.getByRole('link', { name: 'View Orders' }).waitFor();
});

testOnPhone('Escape closes the details of an order, and so does Back', async ({ page }) => {
  await newCustomer(page);
  await mockApi(page, '/api/user/orders', (request) => request.fulfill({ json: { orders: [order()] } }));
  await mockApi(page, '/api/user/orders/*', (request) => request.fulfill({ json: { order: order() } }));
  await open(page, '/orders');
  const dialog = page.getByRole('dialog', { name: 'Order #0A1B2C3D' });
  for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await page.getByRole('button', { name: 'View Details' }).click();
    await dialog.getByText('12 Laxmi Road').waitFor();
    assert.equal(new URL(page.url()).search, `?order=${order()._id}`);
    await close();
    await dialog.waitFor({ state: 'hidden' });
    await eventually(() => new URL(page.url()).search, '');
  }
});
