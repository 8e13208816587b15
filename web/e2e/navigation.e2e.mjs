// Moving from page to page: the next page is loaded ahead, product cards turn into product pages, and a browser may restore
// a page as it was left.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import { addInitScript, eventually, open, openPageWithBfcache, test, withMotion } from './fixtures.mjs';

const firstCard = (page) => page.locator('main article').first().getByRole('heading').getByRole('link');

test('A page is loaded when a pointer rests on a link to it; a product of the list is shown without a request', async ({
  page,
}) => {
  await open(page, '/sub-products');
  const requests = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  const name = await firstCard(page).innerText();
  await firstCard(page).hover();
  await eventually(() => requests.some((path) => /product-page-.*\.js$/.test(path)), true);
  // From now on every request hangs: the page must be there without one.
  await mockApi(page, '/api/products/**', () => undefined);
  await firstCard(page).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('button', { name: 'Add to Cart' }).waitFor();
});

test('Nothing is loaded ahead with data saving on', async ({ page }) => {
  await addInitScript(page, () => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  await open(page, '/sub-products');
  const requests = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await firstCard(page).hover();
  await firstCard(page).focus();
  await page.getByRole('searchbox').or(page.getByRole('combobox')).first().focus();
  assert.deepEqual(
    requests.filter((path) => path.includes('product-page')),
    [],
  );
});

test(
  'A product keeps its picture and name in a view transition, also on the way back',
  async ({ page }) => {
    await addInitScript(page, () => {
      window.transitions = [];
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const named = () =>
          [...document.querySelectorAll('main *')].map((one) => one.style.viewTransitionName).filter(Boolean);
        const before = named();
        return start(async () => {
          await update();
          window.transitions.push([before.sort(), named().sort()]);
        });
      };
    });
    await open(page, '/sub-products');
    await firstCard(page).hover();
    await eventually(
      () =>
        page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('product-page'))),
      true,
    );
    await firstCard(page).click();
    await page.waitForURL('**/product/**');
    const names = ['product-name', 'product-picture'];
    await eventually(() => page.evaluate(() => window.transitions), [[names, names]]);
  },
  withMotion,
);

test('The browser restores a page from its back/forward cache, scrolled as it was', async () => {
  // A browser that is short of time may load the page again instead. A page that cannot be restored fails every time.
  for (let attempts = 3; attempts > 0; attempts--) {
    const { page, close } = await openPageWithBfcache();
    try {
      await open(page, '/sub-products');
      await page.evaluate(() => {
        window.scrollTo(0, 600);
        window.wasRestored = false;
        window.addEventListener('pageshow', ({ persisted }) => {
          window.wasRestored = persisted;
        });
      });
      await page.goto('/api/docs');
      await page.evaluate(() => void setTimeout(() => history.back()));
      const state = () => page.evaluate(() => [location.pathname, window.wasRestored, window.scrollY]).catch(() => []);
      // Not set in a page that was loaded again.
      const isBack = ([path, restored, top]) => path === '/sub-products' && restored !== false && top === 600;
      const [, wasRestored] = await eventually(state, isBack);
      if (wasRestored || attempts === 1) return assert.equal(wasRestored, true);
    } finally {
      await close();
    }
  }
});

test('Back to a page that has to be loaded again also restores its scroll position', async ({ page }) => {
  await open(page, '/sub-products');
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.goto('/api/docs');
  await page.goBack({ waitUntil: 'domcontentloaded' });
  await eventually(() => page.evaluate(() => window.scrollY), 600);
});
