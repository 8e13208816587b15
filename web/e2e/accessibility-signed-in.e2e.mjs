// axe finds no violations on the pages of a signed-in user, light and dark, with their dialogs.
import { mockApi, unmockApi } from './api-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { newCustomer, order, putIntoCart, saveAddress, testOnPhone } from './customer-fixtures.mjs';
import { open } from './fixtures.mjs';

testOnPhone('axe: checkout and its address form', async ({ page }) => {
  await open(page, '/checkout');
  await expectNoViolations(page, 'signed out');
  await newCustomer(page);
  await open(page, '/checkout');
  await expectNoViolations(page, 'empty');
  await putIntoCart(page, 'goda-masala', 2, 1);
  await saveAddress(page);
  await open(page, '/checkout');
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  await expectNoViolations(page, 'full');
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: 'Add address' }).click();
  await page.getByText('City is required').waitFor();
  await expectNoViolations(page, 'form with errors');
});

testOnPhone('axe: profile, its form, its addresses, its confirmations', async ({ page }) => {
  await newCustomer(page, '/user/dashboard/profile');
  await page.getByRole('button', { name: 'Edit profile' }).waitFor();
  await expectNoViolations(page, 'profile');
  await page.getByLabel('Profile picture').setInputFiles({
    name: 'portrait.png',
    mimeType: 'image/png',
    buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } }),
  });
  await page.getByRole('dialog', { name: 'Crop your picture' }).getByRole('slider', { name: 'Zoom' }).waitFor();
  await expectNoViolations(page, 'crop');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Crop your picture' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  await expectNoViolations(page, 'editing');
  await saveAddress(page);
  await open(page, '/user/dashboard/profile?tab=addresses');
  await expectNoViolations(page, 'addresses');
  await page.getByRole('button', { name: 'Delete Home' }).click();
  await page.getByRole('dialog', { name: 'Are you sure you want to delete this address?' }).waitFor();
  await expectNoViolations(page, 'question');
});

testOnPhone('axe: orders, their details, every payment result', async ({ page }) => {
  await newCustomer(page);
  const failed = { paymentStatus: 'failed', orderStatus: 'cancelled' };
  const orders = [
    order(),
    order({ _id: 'shipped-1', orderStatus: 'shipped' }),
    order({ _id: 'failed-1', ...failed, paymentDetails: { errorMessage: 'Your bank said no' } }),
    order({ _id: 'waiting-1', paymentStatus: 'pending', orderStatus: 'N/A' }),
  ];
  await mockApi(page, '/api/user/orders', (request) => request.fulfill({ json: { orders } }));
  await mockApi(page, '/api/user/orders/*', (request) => request.fulfill({ json: { order: orders[2] } }));
  await open(page, '/orders');
  await expectNoViolations(page, 'orders');
  await page.getByRole('button', { name: 'View Details' }).nth(2).click();
  await page.getByRole('dialog').getByText('Your bank said no').waitFor();
  await expectNoViolations(page, 'details');
  for (const found of orders) {
    await unmockApi(page, '/api/payment/order/db/*');
    await mockApi(page, '/api/payment/order/db/*', (request) =>
      request.fulfill({ json: { success: true, message: '', order: found } }),
    );
    await page.goto('/payment/status?merchantOrderId=MIR-TEST-1');
    await page.getByRole('heading', { level: 1, name: /^Payment/ }).waitFor();
    await expectNoViolations(page, found.paymentStatus);
  }
});
