// Specification, section 2 'Admin console', 5 and 8: products. The admin endpoints are mocked.
import assert from 'node:assert/strict';
import { invalidImage, openAdminWithMocks, reservation, testImage } from './admin-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { eventually, open, products, tablet, test, toast, waitForIdle } from './fixtures.mjs';

const card = (page, name) => page.getByRole('article', { name });
const last = (mocks, start) => mocks.sent.findLast(({ call }) => call.startsWith(start));

/** Measures in the page how long a toast is shown: measured from here, a busy machine would add to it. */
const timeToast = (page, words) =>
  page.evaluate((text) => {
    let shownAt = 0;
    const check = () => {
      const toasts = [...document.querySelectorAll('[role=status]')];
      const isShown = toasts.some((one) => one.textContent.includes(text) && !one.classList.contains('opacity-0'));
      if (isShown && !shownAt) shownAt = performance.now();
      if (!isShown && shownAt) window.toastShownMs ??= performance.now() - shownAt;
    };
    new MutationObserver(check).observe(document.body, { subtree: true, childList: true, attributes: true });
  }, words);

test('A visitor who is not an admin sees only a sign-in prompt, no data', async ({ page }) => {
  const requested = [];
  page.on('request', (request) => requested.push(request.url()));
  for (const changes of [
    { authenticated: false },
    { user: { _id: 'u', name: 'Asha', email: 'a@example.com', photo: null, role: 'customer' } },
  ]) {
    await page.unrouteAll();
    await openAdminWithMocks(page, changes);
    await open(page, '/admins?section=orders');
    await page.getByRole('button', { name: 'Sign in to continue' }).click();
    await page.getByText('Sign in with Google').waitFor();
    await eventually(() => page.getByRole('navigation', { name: 'Sections' }).count(), 0);
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
  for (const name of ['Users', 'Team']) {
    await sections.getByRole('link', { name }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText('coming soon', { exact: true }).waitFor();
    await eventually(() => page.url(), new RegExp(`section=${name.toLowerCase()}$`));
  }
});

test('Card: name, first category or N/A, price, weight, ingredient count; 3 columns', async ({ page }) => {
  const [first, second] = await products(page);
  await openAdminWithMocks(page, { products: [first, { ...second, category: [], net_wt: [] }] });
  await open(page, '/admins');
  const words = await card(page, first.product_name).innerText();
  for (const word of [
    first.category[0],
    `₹${first.mrp[0]}`,
    '50 g',
    `${first.ingredients.length} ingredients`,
    'Visible',
    'Trending Rank',
    'Edit',
    'Delete',
  ])
    assert.ok(words.includes(word), word);
  await eventually(() => card(page, second.product_name).innerText(), /N\/A/);
  const columns = await page
    .locator('ul:has(> li > article)')
    .evaluate((list) => getComputedStyle(list).gridTemplateColumns);
  assert.equal(columns.split(' ').length, 3);
  assert.deepEqual(
    await page
      .getByLabel(/^Trending Rank/)
      .first()
      .locator('option')
      .allInnerTexts(),
    ['None', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
  );
});

test(
  "Empty: 'No products found. Add your first product!'; failed: 'Failed to fetch products'",
  async ({ page }) => {
    const mocks = await openAdminWithMocks(page, { products: [] });
    await open(page, '/admins');
    await page.getByText('No products found. Add your first product!').waitFor();
    mocks.reject = { 'GET products': { status: 500, text: 'Something went wrong' } };
    await open(page, '/admins');
    await toast(page, 'Failed to fetch products').waitFor();
  },
  { expected: [/500/] },
);

test(
  'Visible and Trending Rank: toasts, hidden disables the rank, failures are rolled back',
  async ({ page }) => {
    const [first] = await products(page);
    const mocks = await openAdminWithMocks(page, { products: [{ ...first, isVisible: true, trendingRank: null }] });
    await open(page, '/admins');
    const rank = page.getByLabel(`Trending Rank: ${first.product_name}`);
    const visible = page.getByLabel(`Visible: ${first.product_name}`);
    await rank.selectOption('4');
    await toast(page, 'Trending rank set to 4').waitFor();
    assert.deepEqual(last(mocks, 'PUT products').body, { trendingRank: 4 });
    await rank.selectOption('None');
    await toast(page, 'Trending rank cleared').waitFor();
    await visible.click();
    await toast(page, 'Product is now hidden!').waitFor();
    await eventually(() => rank.isDisabled(), true);
    await eventually(() => visible.isChecked(), false);
    await visible.click();
    await toast(page, 'Product is now visible!').waitFor();
    await eventually(() => visible.isChecked(), true);
    mocks.reject = { PUT: { status: 500, text: 'Something went wrong' } };
    await visible.click();
    await toast(page, 'Failed to toggle visibility').waitFor();
    await eventually(() => visible.isChecked(), true);
    await rank.selectOption('2');
    await toast(page, 'Failed to update trending rank').waitFor();
    await eventually(() => rank.inputValue(), '');
  },
  { expected: [/500/] },
);

test(
  "Delete asks 'Are you sure you want to delete this product?'; toasts; 3000 ms",
  async ({ page }) => {
    const [first, second] = await products(page);
    const mocks = await openAdminWithMocks(page, { products: [first, second] });
    mocks.reject = { DELETE: { status: 500, text: 'no' } };
    await open(page, '/admins');
    const ask = async () => {
      await page.getByRole('button', { name: `Delete ${first.product_name}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this product?' });
      await dialog.getByRole('button', { name: 'Delete' }).click();
    };
    await ask();
    await toast(page, 'Failed to delete product').waitFor();
    mocks.reject = {};
    await timeToast(page, 'Product deleted successfully!');
    await ask();
    await card(page, first.product_name).waitFor({ state: 'detached' });
    await eventually(
      () => page.evaluate(() => window.toastShownMs),
      // A storefront toast is removed after 2000 ms; a busy page may show it late and remove it late.
      (time) => time > 2300 && time < 8000,
    );
  },
  { expected: [/500/] },
);

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

test("The form 'Add New Product': errors beside their fields, lists keep one row, then 'Product added successfully!'", async ({
  page,
}) => {
  const mocks = await openAdminWithMocks(page);
  await open(page, '/admins');
  await page.getByRole('link', { name: 'Add New Product' }).click();
  await page.getByRole('heading', { name: 'Add New Product' }).waitFor();
  await page.getByRole('button', { name: 'Add product' }).click();
  for (const error of ['A product needs a name', 'At least one category', 'At least one ingredient'])
    await page.getByText(error).waitFor();
  await eventually(() => page.getByText('A price of 0 or more').count(), 2);
  await eventually(() => page.evaluate(() => document.activeElement.name), 'product_name');
  assert.equal(mocks.sent.filter(({ call }) => call.startsWith('POST')).length, 0);

  await page.keyboard.type('Test Masala');
  await page.getByLabel('Category 1', { exact: true }).fill('Veg');
  await page.getByRole('button', { name: 'Remove MRP 2' }).click();
  await eventually(() => page.getByRole('button', { name: 'Remove MRP 1' }).isDisabled(), true);
  await page.getByLabel('MRP 1', { exact: true }).fill('49.5');
  await page.getByLabel('Ingredients 1', { exact: true }).fill('Cumin');
  await page.keyboard.press('Enter');
  await eventually(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Ingredients 2');
  await page.keyboard.type('Clove');
  await page.getByLabel('Stock (grams)').fill('500');
  const preview = page.getByRole('region', { name: 'Preview of the card' });
  await preview.getByText('Test Masala').waitFor();
  await preview.getByText('₹49.50').waitFor();
  await page.getByRole('button', { name: 'Add product' }).click();
  await toast(page, 'Product added successfully!').waitFor();
  const { body } = last(mocks, 'POST addProduct');
  assert.deepEqual(
    [body.product_name, body.category, body.mrp, body.ingredients, body.stock],
    ['Test Masala', ['Veg'], [49.5], ['Cumin', 'Clove'], 500],
  );
  await card(page, 'Test Masala').waitFor();
});

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
  'Edit Product: stock takes the number that was counted, min 0, or a change; packs sold meanwhile stay sold',
  async ({ page }) => {
    const [product] = await products(page);
    const first = { ...product, stock: 400 };
    const mocks = await openAdminWithMocks(page, { products: [first] });
    await open(page, `/admins?section=products&product=${first._id}`);
    const stock = page.getByLabel('Stock (grams)');
    await eventually(() => stock.inputValue(), '400');
    await page.getByText('400 there now', { exact: true }).waitFor();
    await stock.fill('lots');
    await page.getByRole('button', { name: 'Save product' }).click();
    await page.getByText('A whole number, 0 or more, or a change like +500 or -20', { exact: true }).waitFor();
    await stock.fill('-401');
    await page.getByText('Only 400 are there').waitFor();
    await stock.fill('+50');
    await page.getByText('400 there now, then 450').waitFor();
    await stock.fill('450');
    await page.getByText('400 there now, then 450').waitFor();

    // Before it is saved, packs are sold and another admin saves the product.
    mocks.products = [{ ...first, stock: 380, version: first.version + 1 }];
    await page.getByRole('button', { name: 'Save product' }).click();
    await page.getByRole('button', { name: 'Load the newest, keep my changes' }).click();
    await page.getByText('380 there now, then 430').waitFor();
    await page.getByRole('button', { name: 'Save product' }).click();
    await toast(page, 'Product updated successfully!').waitFor();
    assert.equal(mocks.products[0].stock, 430);
    const sent = mocks.sent.filter(({ call }) => call.startsWith('PUT updateProduct')).map(({ body }) => body);
    assert.deepEqual([sent[0].stock, sent[0].stock_seen, sent[1].stock_change], [450, 400, 50]);
  },
  { expected: [/409/] },
);

test('A price of 0 is saved, and its hint says what it means', async ({ page }) => {
  const [first] = await products(page);
  const mocks = await openAdminWithMocks(page, { products: [first] });
  await open(page, `/admins?section=products&product=${first._id}`);
  await page.getByText('0: not sold in this size').waitFor();
  await page.getByLabel('MRP 1', { exact: true }).fill('0');
  const preview = page.getByRole('region', { name: 'Preview of the card' });
  await preview.getByText(`₹${first.mrp[1]}`).waitFor();
  await page.getByRole('button', { name: 'Save product' }).click();
  await toast(page, 'Product updated successfully!').waitFor();
  assert.deepEqual(last(mocks, 'PUT updateProduct').body.mrp, [0, first.mrp[1]]);
  await card(page, first.product_name).getByText(`₹${first.mrp[1]}`).waitFor();
});

test(
  'A stale edit shows an error, overwrites nothing, and can be merged into the newest version',
  async ({ page }) => {
    const [first] = await products(page);
    const mocks = await openAdminWithMocks(page, { products: [first] });
    await open(page, `/admins?section=products&product=${first._id}`);
    await page.getByLabel('Best before').fill('7 Months');
    mocks.products = [{ ...first, version: first.version + 1, hsn_code: '12345678' }];
    await page.getByRole('button', { name: 'Save product' }).click();
    await page
      .getByRole('alert')
      .getByText('Somebody else changed this product meanwhile. Please reload and try again.')
      .first()
      .waitFor();
    assert.equal(mocks.products[0].best_before, first.best_before);
    await page.getByRole('button', { name: 'Load the newest, keep my changes' }).click();
    await page.waitForFunction(() => document.querySelector('[name=hsn_code]').value === '12345678');
    await page.getByRole('button', { name: 'Save product' }).click();
    await toast(page, 'Product updated successfully!').waitFor();
    assert.deepEqual([mocks.products[0].best_before, mocks.products[0].hsn_code], ['7 Months', '12345678']);
  },
  { expected: [/409/] },
);

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
