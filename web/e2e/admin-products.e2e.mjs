// Specification, section 2 'Admin console', 5 and 8: products. The admin endpoints are mocked. What the list and the form of
// products say is tested in src/features/admin/products.
import assert from 'node:assert/strict';
import { invalidImage, openAdminWithMocks, reservation, testImage } from './admin-mocks.mjs';
import { unmockApi } from './api-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { eventually, open, phone, products, tablet, test, toast, waitForIdle } from './fixtures.mjs';

const last = (mocks, start) => mocks.sent.findLast(({ call }) => call.startsWith(start));

test('A visitor who is not an admin sees only a sign-in prompt, no data', async ({ page }) => {
  const requested = [];
  page.on('request', (request) => requested.push(request.url()));
  for (const changes of [
    { authenticated: false },
    { user: { _id: 'u', name: 'Asha', email: 'a@example.com', photo: null, role: 'customer' } },
  ]) {
    await unmockApi(page);
    await openAdminWithMocks(page, changes);
    await open(page, '/admins?section=orders');
    await page.getByRole('button', { name: 'Sign in to continue' }).click();
    await page.getByText('Sign in with Google').waitFor();
    await eventually(() => page.getByRole('navigation', { name: 'Sections' }).count(), 0);
    await eventually(() => page.getByRole('banner').count(), 0, 'no header of the shop');
  }
  assert.deepEqual(
    requested.filter((url) => url.includes('/api/admin/') || url.includes('admin-layout')),
    [],
  );
});

test("Sidebar: Products, Orders, Users, Team first; Users and Team show only 'coming soon'", async ({ page }) => {
  await openAdminWithMocks(page);
  await open(page, '/admins');
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await eventually(
    async () => (await sections.getByRole('link').allInnerTexts()).slice(0, 4),
    ['Products', 'Orders', 'Users', 'Team'],
  );
  await eventually(() => sections.locator('[aria-current=page]').innerText(), 'Products');
  await eventually(() => page.getByRole('navigation', { name: 'Main' }).count(), 0, 'no navigation bar');
  const columns = await page
    .locator('ul:has(> li > article)')
    .evaluate((list) => getComputedStyle(list).gridTemplateColumns);
  assert.equal(columns.split(' ').length, 3, 'three products in a row');
  for (const name of ['Users', 'Team']) {
    await sections.getByRole('link', { name }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText('coming soon', { exact: true }).waitFor();
    await eventually(() => page.url(), new RegExp(`section=${name.toLowerCase()}$`));
  }
});

test(
  'Drop zone: prompt, states, progress, toasts, names to copy and to attach',
  async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const [first] = await products(page);
    await page.route('**/images/products/*', (route) =>
      route.fulfill({ body: testImage('x').buffer, contentType: 'image/png' }),
    );
    const mocks = await openAdminWithMocks(page, { products: [first] });
    await open(page, '/admins');
    await page.getByRole('button', { name: 'Drag & drop images here, or click to select files' }).waitFor();
    const drag = (type, event) =>
      page.locator('button[data-state]').evaluate(
        (button, [type, event]) => {
          const data = new DataTransfer();
          data.items.add(new File(['x'], 'x', { type }));
          button.dispatchEvent(new DragEvent(event, { bubbles: true, cancelable: true, dataTransfer: data }));
        },
        [type, event],
      );
    const becomes = (state) => eventually(() => page.locator('button[data-state]').getAttribute('data-state'), state);
    await becomes('idle');
    for (const [type, state] of [
      ['image/png', 'accept'],
      ['application/pdf', 'reject'],
      ['', 'drag-active'],
    ]) {
      await drag(type, 'dragenter');
      await becomes(state);
      await drag(type, 'dragleave');
      await becomes('idle');
    }

    const input = page.locator('input[type=file]');
    assert.ok(await input.evaluate((element) => element.multiple));
    await input.setInputFiles([testImage('pouch.png'), testImage('table.png')]);
    await toast(page, 'Upload successful: pouch.webp, table.webp').waitFor();
    await input.setInputFiles([invalidImage('text.png')]);
    await toast(page, 'Upload failed').waitFor();
    await page.getByText('text.png is no picture').waitFor();
    await page.getByRole('button', { name: 'Copy pouch.webp' }).click();
    await eventually(() => page.evaluate(() => navigator.clipboard.readText()), 'pouch.webp');

    await page.getByRole('button', { name: 'Attach table.webp to a product' }).click();
    await page.getByRole('dialog').getByRole('button', { name: first.product_name }).click();
    await toast(page, 'Product updated successfully!').waitFor();
    assert.deepEqual(last(mocks, 'PUT updateProduct').body.images, [...first.images, 'table.webp']);
  },
  { expected: [/415/] },
);

test('Edit Product: unsaved changes are guarded and survive a reload', async ({ page }) => {
  const [first] = await products(page);
  const mocks = await openAdminWithMocks(page, { products: [first] });
  await open(page, '/admins');
  await page.getByRole('link', { name: `Edit ${first.product_name}` }).click();
  await page.getByRole('heading', { name: 'Edit Product' }).waitFor();
  await page.getByLabel('Stock (grams)').fill('-20');
  await page.getByLabel('Best before').fill('7 Months');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click();
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await page.getByText('What you typed before and did not save is here again.').waitFor();
  await eventually(() => page.getByLabel('Best before').inputValue(), '7 Months');
  await page.getByRole('button', { name: 'Save product' }).click();
  await toast(page, 'Product updated successfully!').waitFor();
  const { body } = last(mocks, 'PUT updateProduct');
  assert.deepEqual(
    [body.best_before, body.stock_change, 'stock' in body, body.packaging_50gms, body.packaging_50gms_seen],
    ['7 Months', -20, false, first.packaging_50gms, first.packaging_50gms],
  );
});

test(
  'axe finds no violations in the admin area, light and dark',
  async ({ page }) => {
    await openAdminWithMocks(page, {
      entries: [
        { at: '2026-11-14T06:35:00Z', who: 'a@b.example', action: 'order status', detail: 'confirmed to shipped' },
      ],
      issues: [
        { _id: 'c', orderId: 'o', kind: 'refund_failed', about: '', detail: 'x', createdAt: '2026-11-14T06:35:00Z' },
      ],
      reserved: [reservation(2)],
    });
    for (const path of [
      '/admins',
      '/admins?section=orders',
      '/admins?section=team',
      '/admins?section=problems',
      '/admins?section=products&product=new',
    ]) {
      await open(page, path);
      await page.locator('#section-title').waitFor();
      await waitForIdle(page);
      await expectNoViolations(page, path);
    }
    await open(page, '/admins?section=orders');
    await page.getByRole('button', { name: 'Show details of order 00000001' }).click();
    await page.getByRole('button', { name: 'Audit log' }).click();
    await page.getByText('confirmed to shipped').waitFor();
    await expectNoViolations(page, 'details');
  },
  { viewport: tablet },
);

test(
  'On a phone the buttons of the form are above the bar with the sections',
  async ({ page }) => {
    await openAdminWithMocks(page);
    await open(page, '/admins?section=products&product=new');
    // Not by a click, which would scroll to the end of the form first.
    const box = await page.getByRole('button', { name: 'Add product' }).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.getByText('A product needs a name').waitFor();
    const bar = await page.getByRole('complementary', { name: 'Admin console' }).boundingBox();
    const { bottom } = await page.locator('form > .sticky').evaluate((foot) => foot.getBoundingClientRect());
    assert.ok(bottom > bar.y - 4 && bottom <= bar.y + 4, `no gap: ${bottom} and ${bar.y}`);
    const isCovered = () => {
      const focused = document.activeElement;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const shown = document.elementFromPoint(left + width / 2, top + height / 2);
      return !(focused.contains(shown) || shown?.contains(focused));
    };
    for (let count = 0; count < 20; count++) {
      await page.keyboard.press('Tab');
      await eventually(() => page.evaluate(isCovered), false, `control ${count} is in view when it has the focus`);
    }
  },
  { viewport: phone },
);
