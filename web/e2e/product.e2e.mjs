// Specification, section 2: Product detail; section 5: quantities, subtotal, pincode.
import assert from 'node:assert/strict';
import { newCustomer } from './customer-fixtures.mjs';
import { eventually, open, phone, test, toast } from './fixtures.mjs';

const PATH = '/product/goda-masala';

async function withStock(page, stock) {
  await page.route('**/api/products/api/productInfo/goda-masala', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ json: { product: { ...body.product, ...stock } } });
  });
  // Through the list, so that the page fetches the product instead of using the data it was rendered with.
  await open(page, '/search?q=goda');
  await page.locator('main a[href="/product/goda-masala"]').click();
  await page.getByRole('heading', { name: 'Goda Masala', level: 1 }).waitFor();
}

const more = (page, grams) => page.getByRole('button', { name: `More: ${grams} g packs` });
const less = (page, grams) => page.getByRole('button', { name: `Less: ${grams} g packs` });
const add = (page) => page.getByRole('button', { name: 'Add to Cart' });

test('Thumbnails, main image, name, steppers with prices, subtotal, Delivery within 3-5 days, Deliver to', async ({
  page,
}) => {
  await open(page, PATH);
  await page.getByRole('heading', { name: 'Goda Masala', level: 1 }).waitFor();
  const thumbs = page.getByRole('list', { name: 'Pictures' }).getByRole('button');
  await eventually(() => thumbs.count(), 3);
  await thumbs.nth(1).click();
  const image = page.getByRole('button', { name: /^Zoom/ }).locator('img');
  await eventually(async () => decodeURIComponent(await image.getAttribute('src')), /lifestyle/);
  await page.getByText('Delivery within 3-5 days').first().waitFor();
  await page.getByLabel('Deliver to').waitFor();
  for (const title of [
    'Ingredients',
    'No Preservatives',
    "Why You'll Love It",
    'How to Use (Simple Recipe)',
    'Shelf Life',
  ]) {
    await eventually(() => page.getByRole('heading', { name: title, exact: true }).count(), 1, title);
  }
});

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
  'Main image with zoom: touch',
  async ({ page }) => {
    await open(page, PATH);
    const zoom = page.getByRole('button', { name: /^Zoom/ });
    const scale = () => zoom.locator('img').evaluate((image) => image.style.transform);
    await zoom.tap();
    await eventually(scale, /scale/);
    await zoom.tap();
    await eventually(scale, '');
  },
  { viewport: phone, hasTouch: true },
);

test('Add to Cart enabled only with at least one quantity above 0; quantities cannot go below 0; subtotal', async ({
  page,
}) => {
  await open(page, PATH);
  const { product } = await (await page.request.get('/api/products/api/productInfo/goda-masala')).json();
  await eventually(() => add(page).isDisabled(), true);
  await eventually(() => less(page, 50).isDisabled(), true);
  await more(page, 50).click();
  await more(page, 100).click();
  await more(page, 100).click();
  const subtotal = Math.round(product.mrp[0] + 2 * product.mrp[1]);
  await page.getByText(`₹${subtotal}`, { exact: true }).waitFor();
  await eventually(() => add(page).isDisabled(), false);
  await less(page, 50).click();
  await eventually(() => less(page, 50).isDisabled(), true);
});

test('Grams of both sizes must not exceed stock, else Not enough spice stock available', async ({ page }) => {
  await withStock(page, { stock: 120, packaging_50gms: 9, packaging_100gms: 9 });
  await more(page, 100).click();
  await more(page, 50).click();
  await page.getByText('Not enough spice stock available').waitFor();
  await eventually(() => add(page).isDisabled(), true);
});

test('Not enough 50g packaging available; Not enough 100g packaging available', async ({ page }) => {
  await withStock(page, { stock: 5000, packaging_50gms: 1, packaging_100gms: 1 });
  await more(page, 50).click();
  await more(page, 50).click();
  await page.getByText('Not enough 50g packaging available').waitFor();
  await more(page, 100).click();
  await more(page, 100).click();
  await page.getByText('Not enough 100g packaging available').waitFor();
});

test('A missing price shows N/A', async ({ page }) => {
  await withStock(page, { mrp: [65] });
  await page.getByText('N/A', { exact: true }).waitFor();
  await eventually(() => more(page, 100).isDisabled(), true);
});

test('A price of 0: not sold in this size', async ({ page }) => {
  await withStock(page, { mrp: [0, 90] });
  await page.getByText('N/A', { exact: true }).waitFor();
  await eventually(() => more(page, 50).isDisabled(), true);
  await more(page, 100).click();
  await page.getByText('Subtotal').locator('..').getByText('₹90', { exact: true }).waitFor();
  await eventually(
    () =>
      page
        .locator('main')
        .getByText(/₹0(?![.\d])/)
        .count(),
    0,
  );
});

test(
  'Pincode: limited to 6 characters, looked up at 6; Invalid pincode.; Something went wrong.',
  async ({ page }) => {
    await open(page, PATH);
    const field = page.getByLabel('Deliver to');
    await field.pressSequentially('4110269');
    await eventually(() => field.inputValue(), '411026');
    await page.getByText('Pune, Maharashtra', { exact: true }).waitFor();
    await field.fill('000000');
    await page.getByText('Invalid pincode.').waitFor();
    await page.route('**/api/pincode/**', (route) => route.abort());
    await field.fill('560001');
    await page.getByText('Something went wrong.').waitFor();
  },
  { expected: [/ERR_FAILED/] },
);

test('Legal information: MRP incl. of all taxes, unit price, net quantity, maker, origin, FSSAI, consumer care, veg mark', async ({
  page,
}) => {
  await open(page, PATH);
  const main = await page.locator('main').innerText();
  for (const part of [
    'incl. of all taxes',
    'per g',
    'Net quantity',
    'Country of origin',
    'FSSAI',
    'Consumer care',
    'Generic name',
    'Best before',
  ]) {
    assert.ok(main.includes(part), part);
  }
  // Cards of other products have the mark, too.
  const mark = page
    .locator('main img, main [role="img"]:not(article *)')
    .and(page.getByRole('img', { name: 'Vegetarian', exact: true }));
  await eventually(() => mark.count(), 1);
});

test(
  'Unknown product: Product not found. with a real 404',
  async ({ page }) => {
    const response = await open(page, '/product/no-such-thing');
    assert.equal(response.status(), 404);
    await page.getByText('Product not found.').last().waitFor();
  },
  { expected: [/404/] },
);

test('Signed out: adding asks to log in', async ({ page }) => {
  await open(page, PATH);
  await more(page, 50).click();
  await add(page).click();
  await toast(page, 'Please login to add items to cart').waitFor();
  await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor();
});

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

test('Wishlist: heart, Your Wishlist, Move to Cart, empty state with link to /sub-products', async ({ page }) => {
  await newCustomer(page, PATH);
  await page.getByRole('button', { name: 'Add Goda Masala to wishlist' }).click();
  await toast(page, 'Added to wishlist').waitFor();
  await open(page, '/wishlist');
  await page.getByRole('heading', { name: 'Your Wishlist' }).waitFor();
  await page.getByRole('button', { name: 'Move to Cart' }).click();
  await toast(page, 'Moved to cart').waitFor();
  await page.getByText('Your wishlist is empty.').waitFor();
  await eventually(() => page.locator('main a[href="/sub-products"]').count(), 1);
});
