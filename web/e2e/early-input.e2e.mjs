// The page works before its scripts have run: forms and links by themselves; taps and keys are kept until the app is there.
import assert from 'node:assert/strict';
import { eventually, open, phone, test, toast, waitForIdle, withMotion } from './fixtures.mjs';

const searchBox = (page) => page.getByRole('combobox', { name: 'Search masalas' }).locator('visible=true');

/** Opens a page whose scripts do not arrive before the returned function is called. */
async function openWithHeldScripts(page, path) {
  let release;
  const held = new Promise((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'domcontentloaded' });
  await page.waitForFunction(() => document.styleSheets.length > 0);
  return release;
}

test(
  'Packs and Add to Cart that were tapped before the scripts arrive are added when they do',
  async ({ page }) => {
    const release = await openWithHeldScripts(page, '/product/goda-masala');
    const more = page.getByRole('button', { name: 'More: 50 g packs' });
    await more.tap();
    await more.tap();
    const add = page.getByRole('button', { name: 'Add to Cart' });
    // Still disabled: no pack is shown yet.
    await add.tap({ force: true });
    await eventually(() => more.getAttribute('data-tapped'), '2', 'the page shows that it has noticed');
    release();
    await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor();
    await toast(page, 'Please login to add items to cart').waitFor();
    await eventually(() => page.getByRole('group', { name: '50 g packs' }).locator('output').textContent(), '2');
    await eventually(() => page.locator('[data-tapped]').count(), 0);
  },
  { viewport: phone, hasTouch: true, expected: [/401/] },
);

test(
  'The menu that was tapped before the scripts arrive opens when they do',
  async ({ page }) => {
    const release = await openWithHeldScripts(page, '/');
    await page.getByRole('button', { name: 'Open menu' }).tap();
    release();
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Products' }).waitFor();
  },
  { viewport: phone, hasTouch: true },
);

test(
  'Enter in the search box before the scripts arrive leads to the results',
  async ({ page }) => {
    await openWithHeldScripts(page, '/');
    await searchBox(page).fill('paneer butter');
    await searchBox(page).press('Enter');
    await page.waitForURL(
      (url) => url.pathname === '/sub-products' && url.searchParams.get('search') === 'paneer butter',
    );
    await eventually(() => page.locator('main article').count(), 1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  { viewport: phone },
);

test(
  'Without JavaScript the search, links and all content work',
  async ({ page }) => {
    await page.goto('/');
    await searchBox(page).fill('chai');
    await searchBox(page).press('Enter');
    await page.waitForURL((url) => url.pathname + url.search === '/sub-products?search=chai');
    await page.locator('main article').getByRole('link', { name: 'Chai Masala', exact: true }).click();
    await page.waitForURL('**/product/chai-masala');
    await page.getByRole('heading', { level: 1, name: 'Chai Masala' }).waitFor();
  },
  { viewport: phone, javaScriptEnabled: false },
);

for (const [path, label, text] of [
  ['/product/goda-masala', 'Deliver to', '411001'],
  ['/contact-us', 'Message', 'Do you grind on Sundays?'],
]) {
  test(
    `What is typed into '${label}' before the scripts arrive is kept and used`,
    async ({ page }) => {
      const release = await openWithHeldScripts(page, path);
      await page.getByLabel(label).pressSequentially(text);
      release();
      await waitForIdle(page);
      await eventually(() => page.getByLabel(label).inputValue(), text);
      if (label === 'Deliver to') await page.getByRole('status').filter({ hasText: 'Pune, Maharashtra' }).waitFor();
    },
    { viewport: phone },
  );
}

test(
  'A part of the page that is out of view is hydrated when it is seen, and works at the first click',
  async ({ page }) => {
    await open(page, '/');
    const isHydrated = (control) => Object.keys(control).some((key) => key.startsWith('__reactProps$'));
    const pause = page.getByRole('button', { name: 'Pause the testimonials' });
    assert.equal(await pause.evaluate(isHydrated), false, 'never seen');
    await pause.click();
    await page.getByRole('button', { name: 'Play the testimonials' }).waitFor();
  },
  // Without motion the part changes to 'Play' by itself when it is hydrated.
  { viewport: phone, ...withMotion },
);
