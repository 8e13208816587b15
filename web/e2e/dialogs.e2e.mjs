// Dialogs and toasts: what closes a dialog; toasts are above all other elements. Specification, section 2
// (toasts top-right) and section 9 (how long they stay).
import assert from 'node:assert/strict';
import { openAdminWithMocks, orderId } from './admin-mocks.mjs';
import { mockApi } from './api-mocks.mjs';
import { newCustomer, putIntoCart, saveAddress, testOnPhone } from './customer-fixtures.mjs';
import { desktop, eventually, failure, open, openWithFakeClock, phone, tablet, test, toasts } from './fixtures.mjs';

const boxOf = async (locator) => {
  const { x, y, width, height } = await locator.boundingBox();
  return { left: x, top: y, right: x + width, bottom: y + height, middle: [x + width / 2, y + height / 2] };
};
const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const toastBox = (page, text) => boxOf(toasts(page).locator(':scope > * > *').filter({ hasText: text }));

/** Asserts that a toast is on top: the element at its centre is the toast itself. */
async function assertOnTop(page, text) {
  const { middle } = await toastBox(page, text);
  const found = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('.toasts')?.innerText, middle);
  assert.match(found ?? '', new RegExp(text));
}

test('A press that begins in a field and ends on the backdrop leaves the dialog open', async ({ page }) => {
  await newCustomer(page, '/user/dashboard/profile?tab=addresses');
  await page.getByRole('tab', { name: 'Addresses' }).click();
  await page
    .getByRole('button', { name: /Add .*address/i })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  const field = dialog.getByRole('textbox').first();
  await field.fill('Half typed');
  const { middle } = await boxOf(field);
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(12, 450, { steps: 4 });
  await page.mouse.up();
  await eventually(() => field.inputValue(), 'Half typed', 'begun inside, ended outside');
  await page.mouse.move(12, 450);
  await page.mouse.down();
  await page.mouse.move(...middle, { steps: 4 });
  await page.mouse.up();
  await eventually(() => field.inputValue(), 'Half typed', 'begun outside, ended inside');
  await page.mouse.click(12, 450);
  await dialog.waitFor({ state: 'hidden' });
});

testOnPhone('The title and the × of a dialog stay above its content while that scrolls', async ({ page }) => {
  await newCustomer(page, '/user/dashboard/profile?tab=addresses');
  await page.getByRole('button', { name: 'Add New Address' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Address' });
  const head = ['heading', 'button'].map((role) =>
    dialog.getByRole(role, { name: role === 'button' ? 'Close' : 'Add New Address' }),
  );
  const first = dialog.getByLabel('Address name');
  const before = await Promise.all([...head, first].map(boxOf));
  const { middle } = before[2];
  await page.mouse.move(...middle);
  await page.mouse.wheel(0, 60);
  await eventually(
    async () => (await boxOf(first)).top,
    (top) => top <= before[2].top - 60,
  );
  const after = await Promise.all(head.map(boxOf));
  assert.deepEqual(after, before.slice(0, 2), 'the head stays');
  const covered = dialog.getByText('Full name');
  await page.mouse.wheel(0, 2000);
  await eventually(
    async () => (await boxOf(covered)).top,
    (top) => top < after[1].top,
  );
  for (const { middle: point } of after)
    assert.equal(
      await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('[data-head]') !== null, point),
      true,
      'nothing is shown in its place',
    );
});

test('The cart panel, too, closes only by a press that begins and ends outside', async ({ page }) => {
  await open(page, '/about-us');
  await page.getByRole('button', { name: 'Cart', exact: true }).click();
  const panel = page.getByRole('dialog', { name: 'Your Cart' });
  const { middle } = await boxOf(panel.getByText('Your cart is empty.'));
  await page.mouse.move(...middle);
  await page.mouse.down();
  await page.mouse.move(300, 450, { steps: 4 });
  await page.mouse.up();
  await eventually(() => panel.isVisible(), true);
  await page.mouse.click(300, 450);
  await panel.waitFor({ state: 'hidden' });
});

testOnPhone('Toasts are above the cart panel, off the button that was pressed, and can be closed', async ({ page }) => {
  await newCustomer(page, '/about-us');
  await putIntoCart(page, 'goda-masala', 1, 0);
  await putIntoCart(page, 'chai-masala', 1, 0);
  await open(page, '/about-us');
  await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();
  const panel = page.getByRole('dialog', { name: 'Your Cart' });
  const remove = panel.getByRole('button', { name: 'Remove Goda Masala' });
  const used = await boxOf(remove);
  await remove.click();
  // Its clock stops while it has the focus: a busy machine needs longer than the toast's 2 s for what follows.
  const close = toasts(page).getByRole('button', { name: 'Dismiss' });
  await close.focus();
  await assertOnTop(page, 'Item removed from cart');
  assert.equal(overlap(await toastBox(page, 'Item removed from cart'), used), false, 'not on what was pressed');
  const { width, height } = await close.boundingBox();
  assert.ok(width >= 44 && height >= 44, `a target of 44 px: ${width} × ${height}`);
  await close.click();
  await eventually(() => toasts(page).count(), 0);
  await eventually(() => panel.isVisible(), true, 'the panel stays');
});

for (const viewport of [phone, tablet, desktop]) {
  test(
    `Toasts have one place: below the header, or a dialog's title, at the right (${viewport.width} px)`,
    async ({ page }) => {
      await newCustomer(page);
      await saveAddress(page);
      const shown = async (text) => {
        const toast = toasts(page).locator(':scope > * > *').filter({ hasText: text }).first();
        await toast.waitFor();
        // Its clock stops while it has the focus.
        await toast.getByRole('button', { name: 'Dismiss' }).focus();
        return boxOf(toast);
      };
      const expectPlace = (box, { top, right }, what) =>
        assert.deepEqual([Math.round(box.top), Math.round(box.right)], [Math.round(top), Math.round(right)], what);
      await open(page, '/product/chai-masala');
      const header = await boxOf(page.getByRole('banner'));
      const width = await page.evaluate(() => document.documentElement.clientWidth);
      await page.getByRole('button', { name: 'Add Chai Masala to wishlist' }).click();
      expectPlace(await shown('Added to wishlist'), { top: header.bottom + 8, right: width - 16 }, 'page');

      await open(page, '/user/dashboard/profile?tab=addresses');
      await page.getByRole('button', { name: 'Add New Address' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add New Address' });
      const texts = { 'Address name': 'Work', Phone: '98765 43210', Pincode: '411030', 'Address line 1': '1 MG Road' };
      for (const [label, text] of Object.entries(texts)) await dialog.getByLabel(label).fill(text);
      await eventually(() => dialog.getByLabel('City').inputValue(), 'Pune');
      await mockApi(page, '/api/addresses', (request) => request.fulfill(failure(500, 'internal', 'Not now')));
      await dialog.getByRole('button', { name: 'Add address' }).click();
      const title = await boxOf(dialog.getByRole('heading'));
      const toast = await shown('Failed to add address');
      assert.equal(overlap(toast, title), false, 'not on the title');
      assert.equal(overlap(toast, await boxOf(dialog.getByRole('button', { name: 'Close' }))), false, 'not on the ×');
      assert.ok(toast.top > title.top, 'below it');
    },
    { viewport, expected: [/500/] },
  );
}

testOnPhone('On a phone one toast is shown at a time, the newest', async ({ page }) => {
  await newCustomer(page, '/product/chai-masala');
  const press = (name) => page.getByRole('button', { name }).click();
  await press('Add Chai Masala to wishlist');
  await press('Remove Chai Masala from wishlist');
  const cards = toasts(page).locator(':scope > * > *');
  await cards.filter({ hasText: 'Removed from wishlist' }).getByRole('button', { name: 'Dismiss' }).focus();
  const visible = await cards.evaluateAll((all) =>
    all.filter((one) => one.checkVisibility()).map((one) => one.innerText),
  );
  assert.deepEqual(
    visible.map((text) => text.trim()),
    ['Removed from wishlist'],
  );
});

for (const viewport of [phone, undefined]) {
  test(
    `Toasts are above dialogs, not dimmed by their backdrop (${viewport ? 'phone' : 'desktop'})`,
    async ({ page }) => {
      await open(page, '/products');
      await page.getByRole('button', { name: 'Add to Cart' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Welcome Back!' });
      await dialog.waitFor();
      const close = toasts(page).getByRole('button', { name: 'Dismiss' });
      await close.focus();
      await assertOnTop(page, 'Please login to add items to cart');
      await close.click();
      await eventually(() => toasts(page).count(), 0);
      await eventually(() => dialog.isVisible(), true, 'the dialog stays');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    },
    viewport ? { viewport } : {},
  );
}

const orderRow = (page, index) => page.getByRole('row').filter({ hasText: orderId(index).slice(-8) });

async function updateStatus(line, { byKeys = false } = {}) {
  const field = line.getByRole('combobox');
  await field.selectOption((await field.inputValue()) === 'shipped' ? 'delivered' : 'shipped');
  const button = line.getByRole('button', { name: /Update/ });
  if (byKeys) await button.press('Enter');
  else await button.click();
}

test('In the admin area toasts cover neither Update nor Delete nor Export, wherever one clicks', async ({ page }) => {
  await openAdminWithMocks(page);
  await open(page, '/admins?section=orders');
  for (const row of [1, 4, 9]) {
    const line = orderRow(page, row);
    await updateStatus(line);
    const text = 'Order status updated!';
    await toasts(page).getByText(text).first().waitFor();
    const close = toasts(page).getByRole('button', { name: 'Dismiss' }).first();
    await close.focus();
    const stack = await boxOf(toasts(page));
    const controls = [
      page.getByRole('link', { name: 'Export CSV' }),
      line.getByRole('button', { name: /Update/ }),
      line.getByRole('button', { name: /Delete/ }),
    ];
    for (const control of controls) assert.equal(overlap(stack, await boxOf(control)), false, `row ${row}`);
    await close.click();
    await eventually(() => toasts(page).count(), 0);
  }
});

/** In a page with a fake clock: advances it until `count` toasts with this text are shown; returns how long it took. */
async function timeUntilShown(page, text, count) {
  let passed = 0;
  await eventually(async () => {
    const shown = await toasts(page).getByText(text).count();
    if (shown !== count) await page.clock.runFor(STEP_MS);
    passed += STEP_MS;
    return shown;
  }, count);
  return passed - STEP_MS;
}
const STEP_MS = 200;

test('Admin toasts stay 3000 ms, also under a pointer that does not move; one that moves stops them for 5 s', async ({
  page,
}) => {
  const text = 'Order status updated!';
  await openAdminWithMocks(page);
  await openWithFakeClock(page, '/admins?section=orders');
  await eventually(async () => {
    await page.clock.runFor(STEP_MS);
    return orderRow(page, 1).count();
  }, 1);
  // Where the toast will be, and from then on at rest.
  await updateStatus(orderRow(page, 1));
  await timeUntilShown(page, text, 1);
  const { middle } = await toastBox(page, text);
  await timeUntilShown(page, text, 0);
  await page.mouse.move(...middle);
  await updateStatus(orderRow(page, 2), { byKeys: true });
  await timeUntilShown(page, text, 1);
  const resting = await timeUntilShown(page, text, 0);
  assert.ok(resting > 2000 && resting < 4500, `under a pointer at rest: ${resting} ms`);
  await updateStatus(orderRow(page, 3), { byKeys: true });
  await timeUntilShown(page, text, 1);
  const now = (await toastBox(page, text)).middle;
  await page.mouse.move(...now);
  await page.mouse.move(now[0] + 4, now[1]);
  const read = await timeUntilShown(page, text, 0);
  assert.ok(read > 6000 && read < 10_000, `under a pointer that came to it: ${read} ms`);
});

test('Storefront toasts: an error stays 4000 ms', async ({ page }) => {
  await openWithFakeClock(page, '/products');
  const text = 'Please login to add items to cart';
  await page.getByRole('button', { name: 'Add to Cart' }).first().click();
  await timeUntilShown(page, text, 1);
  const shown = await timeUntilShown(page, text, 0);
  assert.ok(shown > 3000 && shown < 5500, `${shown} ms`);
});
