// axe finds nothing on the pages of a signed-in person, light and dark, with their dialogs.
import { noFaultsInBothThemes } from './axe.mjs';
import { open } from './shop.mjs';
import { newShopper, order, putIntoCart, saveAddress, story } from './shopper.mjs';

story('axe: checkout and its address form', async ({ page }) => {
  await open(page, '/checkout');
  await noFaultsInBothThemes(page, 'signed out');
  await newShopper(page);
  await open(page, '/checkout');
  await noFaultsInBothThemes(page, 'empty');
  await putIntoCart(page, 'goda-masala', 2, 1);
  await saveAddress(page);
  await open(page, '/checkout');
  await page.getByRole('radio', { name: /Home/, checked: true }).waitFor();
  await noFaultsInBothThemes(page, 'full');
  await page.getByRole('button', { name: 'Add New Address' }).click();
  await page.getByRole('button', { name: 'Add address' }).click();
  await page.getByText('City is required').waitFor();
  await noFaultsInBothThemes(page, 'form with faults');
});

story('axe: profile, its form, its addresses, its questions', async ({ page }) => {
  await newShopper(page, '/user/dashboard/profile');
  await page.getByRole('button', { name: 'Edit profile' }).waitFor();
  await noFaultsInBothThemes(page, 'profile');
  await page.getByLabel('Profile picture').setInputFiles({
    name: 'portrait.png',
    mimeType: 'image/png',
    buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } }),
  });
  await page.getByRole('dialog', { name: 'Crop your picture' }).getByRole('slider', { name: 'Zoom' }).waitFor();
  await noFaultsInBothThemes(page, 'crop');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Crop your picture' }).waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByRole('button', { name: 'Save changes' }).waitFor();
  await noFaultsInBothThemes(page, 'editing');
  await saveAddress(page);
  await open(page, '/user/dashboard/profile?tab=addresses');
  await noFaultsInBothThemes(page, 'addresses');
  await page.getByRole('button', { name: 'Delete Home' }).click();
  await page.getByRole('dialog', { name: 'Are you sure you want to delete this address?' }).waitFor();
  await noFaultsInBothThemes(page, 'question');
});

story('axe: orders, their details, every payment result', async ({ page }) => {
  await newShopper(page);
  const failed = { paymentStatus: 'failed', orderStatus: 'cancelled' };
  const orders = [
    order(),
    order({ _id: 'shipped-1', orderStatus: 'shipped' }),
    order({ _id: 'failed-1', ...failed, paymentDetails: { errorMessage: 'Your bank said no' } }),
    order({ _id: 'waiting-1', paymentStatus: 'pending', orderStatus: 'N/A' }),
  ];
  await page.route('**/api/user/orders', (route) => route.fulfill({ json: { orders } }));
  await page.route('**/api/user/orders/*', (route) => route.fulfill({ json: { order: orders[2] } }));
  await open(page, '/orders');
  await noFaultsInBothThemes(page, 'orders');
  await page.getByRole('button', { name: 'View Details' }).nth(2).click();
  await page.getByRole('dialog').getByText('Your bank said no').waitFor();
  await noFaultsInBothThemes(page, 'details');
  for (const found of orders) {
    await page.unroute('**/api/payment/order/db/*');
    await page.route('**/api/payment/order/db/*', (route) =>
      route.fulfill({ json: { success: true, message: '', order: found } }),
    );
    await page.goto('/payment/status?merchantOrderId=MIR-STORY-1');
    await page.getByRole('heading', { level: 1, name: /^Payment/ }).waitFor();
    await noFaultsInBothThemes(page, found.paymentStatus);
  }
});
