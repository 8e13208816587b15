// Export and deletion of the user's data.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { newCustomer, saveAddress, testOnPhone } from './customer-fixtures.mjs';
import { eventually, open, toast } from './fixtures.mjs';

testOnPhone('A user downloads their data and deletes their account', async ({ page }) => {
  const email = await newCustomer(page, '/user/dashboard/profile');
  await saveAddress(page);
  await open(page, '/user/dashboard/profile');
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  const download = await waiting;
  assert.match(download.suggestedFilename(), /^my-data_\d{4}-\d{2}-\d{2}\.json$/);
  const data = await readFile(await download.path(), 'utf8');
  assert.ok(data.includes('addressLine1') && (!email || data.includes(email)));

  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account for good?' });
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await toast(page, 'Your account is deleted').waitFor();
  await eventually(async () => {
    const response = await page.request.get('/api/auth/check-auth');
    return (await response.json()).authenticated;
  }, false);
});
