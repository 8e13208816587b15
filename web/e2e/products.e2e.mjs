// Specification, section 2: Products list (/sub-products), Simple products (/products). What they say in each state, and the
// placeholder pages, are tested in src/app/pages/catalogue.
import assert from 'node:assert/strict';
import { desktop, eventually, open, phone, products, tablet, test } from './fixtures.mjs';

const names = (page) => page.locator('main article :is(h2, h3)').allTextContents();

test('Products: only visible ones, with the lifestyle shot, name, price, weight, Shop Now; 2, 3 or 4 columns', async ({
  page,
}) => {
  await open(page, '/sub-products');
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor();
  const all = await products(page);
  assert.deepEqual((await names(page)).sort(), all.map((product) => product.product_name).sort());
  const card = page.locator('main article').first();
  assert.match(decodeURIComponent(await card.locator('img').getAttribute('src')), /lifestyle shot/);
  const product = all.find((one) => one.product_name === all[0].product_name);
  await eventually(() => card.innerText(), new RegExp(`₹\\d+[\\s\\S]*${product.net_wt[0].unit}[\\s\\S]*Shop Now`));
  for (const [viewport, columns] of [
    [phone, 2],
    [tablet, 3],
    [desktop, 4],
  ]) {
    await page.setViewportSize(viewport);
    const tops = () =>
      page.locator('main article').evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top));
    await eventually(async () => {
      const [first, ...others] = await tops();
      return 1 + others.filter((top) => Math.abs(top - first) < 2).length;
    }, columns);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  }
});

test('The category query parameter preselects a filter; the URL follows; Back works', async ({ page }) => {
  await open(page, '/sub-products?category=Soups');
  const sidebar = page.getByRole('complementary', { name: 'Filter by category' });
  await sidebar.getByRole('checkbox', { name: 'Soups', checked: true }).waitFor();
  const soups = await eventually(
    () => names(page),
    (shown) => shown.includes('Tomato Soup Mix') && !shown.includes('Chhole Masala'),
  );
  await sidebar.getByRole('checkbox', { name: 'Beverages' }).click();
  await page.waitForURL((url) => url.searchParams.getAll('category').join() === 'Soups,Beverages');
  await page.locator('main article', { hasText: 'Chai Masala' }).waitFor();
  await page.goBack();
  await page.waitForURL((url) => url.search === '?category=Soups');
  await eventually(() => names(page), soups);
});

test('Simple products: Our Products, search, All Categories, preselected from category; empty text', async ({
  page,
}) => {
  await open(page, '/products?category=Beverages');
  await page.getByRole('heading', { name: 'Our Products' }).waitFor();
  const dropdown = page.getByRole('combobox', { name: 'Category' });
  await eventually(() => dropdown.inputValue(), 'Beverages');
  const search = page.getByPlaceholder('Search products...');
  await dropdown.selectOption({ label: 'All Categories' });
  await search.fill('SAMBAR');
  const card = page.locator('main li').filter({ has: page.getByRole('heading') });
  await eventually(() => card.count(), 1);
  await eventually(() => card.getByRole('link').getAttribute('href'), '/product/sambar-masala');
  const recipe = card.locator('p').filter({ hasText: 'Recipe:' });
  assert.equal(await recipe.evaluate((node) => getComputedStyle(node).webkitLineClamp), '3');
  await search.fill('zzz');
  await page.getByText('No products found matching your criteria.').waitFor();
});
