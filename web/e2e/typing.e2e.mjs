// Typed text takes precedence over the URL, also on a slow phone: a processor four times slower, a key every 60 ms.
import { openAdminWithMocks } from './admin-mocks.mjs';
import { desktop, eventually, open, phone, test, waitForIdle, withSlowProcessor } from './fixtures.mjs';

const SLOWER = 4;
const KEY_MS = 60;
const WORDS = 'paneer butter';

const searchBox = (page) => page.getByRole('combobox', { name: 'Search masalas' }).locator('visible=true');
const inUrl = (page, name) => new URL(page.url()).searchParams.get(name);

async function typeSlowly(page, field, text) {
  const before = await field.inputValue();
  await withSlowProcessor(page, SLOWER, async () => {
    await field.focus();
    await page.keyboard.type(text, { delay: KEY_MS });
    await eventually(() => field.inputValue(), before + text, 'every key');
  });
}

for (const viewport of [phone, desktop]) {
  test(
    `The search box on /sub-products keeps every key, and the URL and the list follow (${viewport.width} px)`,
    async ({ page }) => {
      await open(page, '/sub-products');
      await typeSlowly(page, searchBox(page), WORDS);
      await eventually(() => inUrl(page, 'search'), WORDS);
      await page.locator('main article', { hasText: 'Paneer Butter Masala' }).waitFor();
      await eventually(() => page.locator('main article').count(), 1);
      await waitForIdle(page);
      await eventually(() => searchBox(page).inputValue(), WORDS, 'also when the URL has come round');
      await typeSlowly(page, searchBox(page), ' masala');
      await eventually(() => inUrl(page, 'search'), `${WORDS} masala`);
      await eventually(() => searchBox(page).inputValue(), `${WORDS} masala`);
    },
    { viewport },
  );
}

for (const [path, field, found] of [
  ['/sub-products', searchBox, 'main article'],
  ['/', searchBox, undefined],
  ['/products', (page) => page.getByPlaceholder('Search products...'), 'main li:has(h2)'],
]) {
  test(
    `What is typed on ${path} before its scripts have run is kept`,
    async ({ page }) => {
      let letGo;
      const held = new Promise((resolve) => {
        letGo = resolve;
      });
      await page.route('**/assets/*.js', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.waitForFunction(() => document.styleSheets.length > 0);
      await field(page).pressSequentially('paneer');
      letGo();
      await waitForIdle(page);
      await eventually(() => field(page).inputValue(), 'paneer');
      if (found) await eventually(() => page.locator(found).count(), 1);
      await eventually(() => field(page).inputValue(), 'paneer');
    },
    { viewport: phone },
  );
}

test('What was just typed survives a click on a category', async ({ page }) => {
  await open(page, '/sub-products');
  await typeSlowly(page, searchBox(page), 'masala');
  const sidebar = page.getByRole('complementary', { name: 'Filter by category' });
  await sidebar.getByRole('checkbox', { name: 'Maharashtrian' }).click();
  await page.waitForURL((url) => url.search === '?search=masala&category=Maharashtrian');
  await waitForIdle(page);
  await eventually(() => searchBox(page).inputValue(), 'masala');
});

test('The search box follows Back, Forward and links', async ({ page }) => {
  await open(page, '/sub-products?search=chai');
  await eventually(() => searchBox(page).inputValue(), 'chai');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Products' }).click();
  await eventually(() => searchBox(page).inputValue(), '');
  await searchBox(page).fill('tikka');
  await page.waitForURL((url) => url.searchParams.get('search') === 'tikka');
  await page.goBack();
  await eventually(() => searchBox(page).inputValue(), 'chai');
  await page.goForward();
  await eventually(() => searchBox(page).inputValue(), 'tikka');
  await page.getByRole('button', { name: /^Remove search text/ }).click();
  await eventually(() => searchBox(page).inputValue(), '');
});

test(
  'The search box on /products keeps every key',
  async ({ page }) => {
    await open(page, '/products');
    const field = page.getByPlaceholder('Search products...');
    await typeSlowly(page, field, WORDS);
    await eventually(
      () =>
        page
          .locator('main li')
          .filter({ has: page.getByRole('heading') })
          .count(),
      1,
    );
    await eventually(() => field.inputValue(), WORDS);
  },
  { viewport: phone },
);

test("The admin's product search and the filters by order id and user id keep every key", async ({ page }) => {
  const mocks = await openAdminWithMocks(page);
  await open(page, '/admins');
  const search = page.getByRole('searchbox', { name: 'Search' });
  // With pauses in which the URL is written and more is typed before it is shown.
  await typeSlowly(page, search, 'paneer ');
  await page.waitForURL((url) => url.searchParams.get('search') === 'paneer');
  await typeSlowly(page, search, 'butter');
  await eventually(() => inUrl(page, 'search'), WORDS);
  await waitForIdle(page);
  await eventually(() => search.inputValue(), WORDS);
  await page.getByRole('link', { name: 'Orders' }).click();
  for (const [label, name, text] of [
    ['Order ID', 'orderId', mocks.orders[2]._id],
    ['User ID', 'userId', mocks.orders[2].userId],
  ]) {
    const field = page.getByRole('textbox', { name: label });
    await typeSlowly(page, field, text.slice(0, 18));
    await page.waitForURL((url) => url.searchParams.get(name) === text.slice(0, 18));
    await typeSlowly(page, field, text.slice(18));
    await eventually(() => inUrl(page, name), text);
    await waitForIdle(page);
    await eventually(() => field.inputValue(), text);
  }
  await page.getByRole('button', { name: 'Reset' }).click();
  for (const label of ['Order ID', 'User ID'])
    await eventually(() => page.getByRole('textbox', { name: label }).inputValue(), '');
});
