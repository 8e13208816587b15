// Other spellings, Devanagari, synonyms and typing mistakes, in the lists and in the suggestions.
import assert from 'node:assert/strict';
import { mockApi, unmockApi } from './api-mocks.mjs';
import { eventually, open, phone, test } from './fixtures.mjs';

const searchBox = (page) => page.getByRole('combobox', { name: 'Search masalas' }).locator('visible=true');
const names = (page) => page.locator('main article h3, main article h2').allInnerTexts();
const correction = (page) => page.getByText('Showing results for').first();

test('The product list finds other spellings and says what it searched for', async ({ page }) => {
  await open(page, '/sub-products');
  await searchBox(page).fill('choley');
  await page.waitForURL((url) => url.searchParams.get('search') === 'choley');
  await correction(page).waitFor();
  await eventually(() => correction(page).innerText(), 'Showing results for “chhole”');
  await page.locator('main article', { hasText: 'Chhole Masala' }).waitFor();
  await searchBox(page).fill('chhole');
  await correction(page).waitFor({ state: 'hidden' });
  await page.locator('main article', { hasText: 'Chhole Masala' }).waitFor();
});

for (const [typed, found, corrected] of [
  ['छोले', 'Chhole Masala', ''],
  ['biriyani', 'Biryani Masala', 'biryani'],
  ['pav bhaaji', 'Pav Bhaji Masala', 'pav bhaji'],
  ['haldi', 'Goda Masala', 'turmeric'],
]) {
  test(`A link to a search for ${typed} shows ${found}, without scripts as well`, async ({ page }) => {
    const path = `/sub-products?search=${encodeURIComponent(typed)}`;
    const html = await (await page.request.get(path)).text();
    assert.ok(html.includes(found), 'rendered by the server');
    await open(page, path);
    await page.locator('main article', { hasText: found }).waitFor();
    await eventually(() => correction(page).count(), corrected ? 1 : 0);
    if (corrected) await eventually(() => correction(page).innerText(), `Showing results for “${corrected}”`);
  });
}

test('The search results page says what it searched for', async ({ page }) => {
  await open(page, '/search?q=sambhar');
  await page.getByRole('heading', { name: /Search Results for/ }).waitFor();
  await correction(page).waitFor();
  await page.locator('main li', { hasText: 'Sambar Masala' }).waitFor();
  await open(page, '/search?q=sambar');
  await page.locator('main li', { hasText: 'Sambar Masala' }).waitFor();
  await eventually(() => correction(page).count(), 0);
});

test('The simple list finds ingredients in Hindi', async ({ page }) => {
  await open(page, '/products');
  await page.getByPlaceholder('Search products...').fill('jira');
  await correction(page).waitFor();
  await eventually(
    () =>
      page
        .locator('main li')
        .filter({ has: page.getByRole('heading') })
        .count(),
    (count) => count > 5,
  );
});

test(
  'Suggestions: what the search finds in another spelling, with picture and price',
  async ({ page }) => {
    await open(page, '/');
    const box = searchBox(page);
    await box.fill('malwani');
    const option = page.getByRole('option', { name: 'Malvani Fish Masala' });
    await option.locator('img').waitFor();
    await option.locator('[data-price^="₹"]').waitFor();
    await box.fill('laptop');
    await option.waitFor({ state: 'hidden' });
    await box.fill('छोले');
    await page.getByRole('option', { name: 'Chhole Masala' }).click();
    await page.waitForURL((url) => url.searchParams.get('search') === 'Chhole Masala');
  },
  { viewport: phone },
);

test('A guess is asked about, and a word that no product has is named', async ({ page }) => {
  await open(page, '/sub-products?search=chickpae');
  await page.getByText('No results for “chickpae”. Did you mean').waitFor();
  await page.getByText('No products found.').waitFor();
  await page.getByRole('link', { name: 'chhole', exact: true }).click();
  await page.locator('main article', { hasText: 'Chhole Masala' }).waitFor();
  assert.equal(await searchBox(page).inputValue(), 'chhole');
  await open(page, '/sub-products?search=goda%20laptop');
  await page.getByText('No results for “laptop”. Showing results for “goda”').waitFor();
  await open(page, '/sub-products?search=garam%20masala');
  await page.getByText('No products found.').waitFor();
});

test('What contains the text comes first and stays while the server searches', async ({ page }) => {
  await mockApi(page, '/api/products/api/productInfo?search=*', () => undefined);
  await open(page, '/sub-products');
  await searchBox(page).fill('garlic');
  await eventually(() => names(page), ['Italian Garlic Bread Mix']);
  await unmockApi(page, '/api/products/api/productInfo?search=*');
  await open(page, '/sub-products?search=garlic');
  await eventually(
    () => names(page),
    (shown) => shown[0] === 'Italian Garlic Bread Mix' && shown.length > 1,
  );
});
