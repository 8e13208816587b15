// The details of an order as a page of the history. What the pages of the orders and of the payment result say is tested in
// src/app/pages/account.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import { newCustomer, order, testOnPhone } from './customer-fixtures.mjs';
import { eventually, open } from './fixtures.mjs';

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
