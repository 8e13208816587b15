// Back closes what is open on top of a page: with the browser's own history, which goes back later than a script asks it to.
import assert from 'node:assert/strict';
import { newCustomer, putIntoCart, testOnPhone } from './customer-fixtures.mjs';
import { eventually, open, test } from './fixtures.mjs';

const path = (page) => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};
const cart = (page) => page.getByRole('dialog', { name: 'Your Cart' });
const openCart = (page) => page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();
const depth = (page) => page.evaluate(() => history.state?.depth ?? 0);
const hidden = (layer) => layer.waitFor({ state: 'hidden' });

testOnPhone('Back closes cart, sign-in, Why card and cook mode, and stays on the page', async ({ page }) => {
  await open(page, '/about-us');
  await open(page, '/');
  const button = (name) => page.getByRole('button', { name });
  for (const [dialog, show] of [
    ['Your Cart', () => openCart(page)],
    ['Welcome Back!', () => page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click()],
    ['100% Pure Ingredients', () => button(/100% Pure Ingredients/).click()],
  ]) {
    await show();
    const layer = page.getByRole('dialog', { name: dialog });
    await layer.waitFor();
    await page.goBack();
    await hidden(layer);
    assert.equal(path(page), '/', dialog);
  }
  await open(page, '/product/goda-masala');
  await button('Start cooking').click();
  await page.getByRole('dialog', { name: 'Goda Masala' }).waitFor();
  await page.goBack();
  await hidden(page.getByRole('dialog'));
  assert.equal(path(page), '/product/goda-masala');
  await page.goBack();
  await page.waitForURL('/');
});

testOnPhone('A closed layer leaves no entry: one Back leaves the page, and Forward opens nothing', async ({ page }) => {
  await open(page, '/about-us');
  await open(page, '/contact-us');
  const closings = [
    () => page.keyboard.press('Escape'),
    () => cart(page).getByRole('button', { name: 'Close' }).click(),
  ];
  for (const close of closings) {
    await openCart(page);
    await eventually(() => depth(page), 1);
    await close();
    await hidden(cart(page));
    await eventually(() => depth(page), 0);
  }
  await page.goForward();
  await eventually(() => depth(page), 0);
  assert.equal(await cart(page).isVisible(), false);
  await page.goBack();
  await page.waitForURL('/about-us');
});

testOnPhone(
  'Filters ticked in the slide-over stay when Back closes it; the next Back takes all of them',
  async ({ page }) => {
    await open(page, '/about-us');
    await open(page, '/sub-products');
    await page.getByRole('button', { name: 'Filter' }).click();
    const sheet = page.getByRole('dialog', { name: 'Categories' });
    for (const name of ['Veg', 'Soups', 'Beverages']) await sheet.getByRole('checkbox', { name, exact: true }).click();
    await page.waitForURL('/sub-products?category=Veg&category=Soups&category=Beverages');
    await page.goBack();
    await hidden(sheet);
    await page.getByRole('button', { name: 'Filter (3)' }).waitFor();
    assert.equal(path(page), '/sub-products?category=Veg&category=Soups&category=Beverages');
    await page.goBack();
    await page.waitForURL('/sub-products');
    await page.goBack();
    await page.waitForURL('/about-us');
  },
);

test('Three ticked filters beside the list are one step back', async ({ page }) => {
  await open(page, '/sub-products?category=Veg');
  const sidebar = page.getByRole('complementary', { name: 'Filter by category' });
  for (const name of ['Soups', 'Beverages', 'Snacks'])
    await sidebar.getByRole('checkbox', { name, exact: true }).click();
  await page.waitForURL((url) => url.searchParams.getAll('category').length === 4);
  await page.goBack();
  await page.waitForURL('/sub-products?category=Veg');
  await sidebar.getByRole('checkbox', { name: 'Soups', exact: true, checked: false }).waitFor();
});

testOnPhone('A page that is opened from the cart takes the place of the cart in the history', async ({ page }) => {
  await newCustomer(page, '/about-us');
  await putIntoCart(page, 'goda-masala', 1, 0);
  await open(page, '/about-us');
  await openCart(page);
  await cart(page).getByRole('link', { name: 'Goda Masala' }).click();
  await page.waitForURL('/product/goda-masala');
  await hidden(cart(page));
  await openCart(page);
  await cart(page).getByRole('button', { name: 'Checkout' }).click();
  await page.waitForURL('/checkout');
  await hidden(cart(page));
  await page.goBack();
  await page.waitForURL('/product/goda-masala');
  assert.equal(await cart(page).isVisible(), false);
  await page.goBack();
  await page.waitForURL('/about-us');
});

testOnPhone(
  'The sign-in that replaces the cart takes over its entry; after a reload nothing is left of it',
  async ({ page }) => {
    await open(page, '/about-us');
    await open(page, '/product/goda-masala');
    const login = page.getByRole('dialog', { name: 'Welcome Back!' });
    const showLogin = () => page.getByRole('banner').getByRole('button', { name: 'Sign In' }).click();
    await showLogin();
    await login.waitFor();
    await eventually(() => depth(page), 1);
    await page.reload();
    await eventually(() => depth(page), 0);
    await eventually(() => page.evaluate(() => history.state?.depth ?? 0), 0);
    await showLogin();
    await login.getByRole('button', { name: 'Sign in with Google' }).click();
    await page.waitForURL((url) => !url.pathname.startsWith('/product'));
    // From Google's page: to the page below the dialog, without the dialog.
    await page.goBack();
    await page.waitForURL('/product/goda-masala');
    await hidden(login);
    await page.goBack();
    await page.waitForURL('/about-us');
  },
);
