// Specification, section 2: Product detail. What the page says is tested in src/app/pages/catalogue/product-page.test.tsx;
// quantities, subtotal and pincode in src/features/product.
import assert from 'node:assert/strict';
import { newCustomer } from './customer-fixtures.mjs';
import { eventually, open, phone, test, toast } from './fixtures.mjs';

const PATH = '/product/goda-masala';

const more = (page, grams) => page.getByRole('button', { name: `More: ${grams} g packs` });
const add = (page) => page.getByRole('button', { name: 'Add to Cart' });

/** Its neighbours are inert. */
const shownPicture = (page) => page.locator('.picture-row > :not([inert])').getByRole('button', { name: /^Zoom/ });

test('Main image with zoom: mouse and keyboard', async ({ page }) => {
  await open(page, PATH);
  const zoom = page.getByRole('button', { name: /^Zoom/ });
  const scale = () => zoom.locator('img').evaluate((image) => image.style.transform);
  await zoom.hover();
  await eventually(scale, /scale/);
  await page.mouse.move(5, 5);
  await eventually(scale, '');
  await zoom.focus();
  await page.keyboard.press('Enter');
  await eventually(scale, /scale/);
  const origin = () => zoom.locator('img').evaluate((image) => image.style.transformOrigin);
  const before = await origin();
  await page.keyboard.press('ArrowRight');
  await eventually(origin, (now) => now !== before);
  await page.keyboard.press('Escape');
  await eventually(scale, '');
});

test(
  'Pictures on a phone are swiped, with a dot for each',
  async ({ page }) => {
    await open(page, PATH);
    const dots = page.getByRole('list', { name: 'Pictures' }).getByRole('button');
    const current = () => dots.evaluateAll((all) => all.map((dot) => dot.getAttribute('aria-current')));
    const shown = () => shownPicture(page).locator('img').getAttribute('src').then(decodeURIComponent);
    const row = page.locator('.picture-row');
    assert.deepEqual(await current(), ['true', null, null]);
    const { x, y, width } = await row.boundingBox();
    // A finger, whose moves the browser itself turns into scrolling.
    const session = await page.context().newCDPSession(page);
    const finger = (type, part) =>
      session.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: part === undefined ? [] : [{ x: x + width * part, y: y + 150 }],
      });
    await finger('touchStart', 0.85);
    for (let part = 0.8; part > 0.15; part -= 0.05) await finger('touchMove', part);
    await finger('touchEnd');
    await eventually(current, [null, 'true', null]);
    await eventually(shown, /lifestyle/);
    await dots.nth(2).click();
    await eventually(current, [null, null, 'true']);
    await eventually(() => row.evaluate((element) => element.scrollLeft / element.clientWidth), 2);
  },
  { viewport: phone, hasTouch: true },
);

test(
  'Main image with zoom: touch',
  async ({ page }) => {
    await open(page, PATH);
    const zoom = shownPicture(page);
    const scale = () => zoom.locator('img').evaluate((image) => image.style.transform);
    await zoom.tap();
    await eventually(scale, /scale/);
    await zoom.tap();
    await eventually(scale, '');
    await zoom.tap();
    await eventually(scale, /scale/);
    await page.goBack();
    await eventually(scale, '', 'Back leaves the zoom');
    assert.equal(new URL(page.url()).pathname, PATH);
  },
  { viewport: phone, hasTouch: true },
);

test('Signed in: into the cart, changed, removed; Checkout disabled when the cart is empty', async ({ page }) => {
  await newCustomer(page, PATH);
  await more(page, 100).click();
  await add(page).click();
  await toast(page, 'Item added to cart successfully').waitFor();
  await page.getByRole('button', { name: /^Cart, \d+ packs?$/ }).click();
  const panel = page.getByRole('dialog', { name: 'Your Cart' });
  await panel.getByText('Goda Masala').first().waitFor();
  await eventually(() => panel.evaluate((node) => node.getBoundingClientRect().width), 400);
  await panel.getByRole('button', { name: 'Remove Goda Masala' }).click();
  await toast(page, 'Item removed from cart').waitFor();
  await panel.getByText('Your cart is empty.').waitFor();
  await eventually(() => panel.getByRole('button', { name: 'Checkout' }).isDisabled(), true);
});
