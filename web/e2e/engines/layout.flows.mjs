// The layout at three widths in both themes: nothing is wider than the page, the main parts are there, no text lies on
// another, no control is covered, and every image in view is drawn.
import assert from 'node:assert/strict';
import { homeAddress, newEmail } from '../customer-fixtures.mjs';
import { desktop, phone, tablet } from '../fixtures.mjs';
import { ADMIN, flow, signIn } from './fixtures.mjs';
import { layoutProblems } from './layout-in-page.mjs';
import { eventually } from './page.mjs';

/** Path, and what must be visible there. */
const PAGES = [
  ['/', ['header', '[aria-roledescription=carousel]', '#trending article', 'footer']],
  ['/sub-products', ['header', 'main article h2', 'footer']],
  ['/product/goda-masala', ['header', 'h1', 'main img', '.buy-bar', 'footer']],
  ['/checkout', ['header', 'h1, h2', 'input[type=radio]', 'footer']],
  ['/orders', ['header', 'h1', 'footer']],
];

/** Waits for what is still being loaded and drawn, then tells what is wrong. */
async function check(page, place, parts) {
  let problems;
  const read = async () => {
    problems = await page.session.runAsync(layoutProblems, parts);
    return problems.length;
  };
  await eventually(read, 0, '').catch(() => undefined);
  assert.deepEqual(problems, [], place);
}

async function checkTheme(page, dark) {
  const theme = await page.session.run(() => document.documentElement.dataset.theme ?? 'light');
  assert.equal(theme, dark ? 'dark' : 'light', "the theme follows the browser's setting");
}

for (const viewport of [phone, tablet, desktop])
  for (const dark of [false, true]) {
    const how = `at ${viewport.width} px, ${dark ? 'dark' : 'light'}`;
    flow(
      `Layout of the shop ${how}`,
      async ({ page }) => {
        await signIn(page, newEmail('layout'), '/about-us');
        await page.send('POST', '/api/addresses', homeAddress);
        await page.send('POST', '/api/cart/add-to-cart', { productId: 'goda-masala', qty_50g: 2, qty_100g: 1 });
        for (const [path, parts] of PAGES) {
          await page.open(path);
          await checkTheme(page, dark);
          await check(page, path, parts);
        }
        await page.role('banner').role('button', 'Cart, 3 packs').click();
        await page.dialog('Your Cart').text('Goda Masala').shown();
        await check(page, 'the cart', ['dialog[open] h2', 'dialog[open] img', 'dialog[open] button']);
      },
      { viewport, dark },
    );
  }

for (const viewport of [phone, tablet, desktop])
  flow(
    `Layout of the console at ${viewport.width} px`,
    async ({ page }) => {
      await signIn(page, ADMIN, '/admins');
      for (const section of ['products', 'orders', 'shipments', 'overview']) {
        await page.open(`/admins?section=${section}`);
        await page.role('heading', new RegExp(`^${section}`, 'i')).shown();
        await check(page, section, ['main', 'h1']);
      }
    },
    { viewport },
  );
