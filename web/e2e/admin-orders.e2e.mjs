// The widths of the admin area. What its table of orders says and does is tested in
// src/features/admin/orders/list/orders-table.test.tsx.
import assert from 'node:assert/strict';
import { openAdminWithMocks, reservation } from './admin-mocks.mjs';
import { expectNoSidewaysScroll, open, test } from './fixtures.mjs';

const ORDERS = '/admins?section=orders';

test('Nothing but the table scrolls sideways on a phone, a tablet and a desktop', async ({ page }) => {
  await openAdminWithMocks(page, { reserved: [reservation(2)] });
  for (const path of ['/admins', '/admins?section=products&product=goda-masala', ORDERS]) {
    await open(page, path);
    await page.locator('#section-title').waitFor();
    await expectNoSidewaysScroll(page, path);
  }
  const cut = await page
    .getByRole('region', { name: 'List of orders' })
    .last()
    .evaluate((box) => box.scrollWidth - box.clientWidth);
  assert.ok(cut <= 0, `the table is ${cut} px too wide`);
});
