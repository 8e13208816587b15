// The service worker: pages that were seen can be read offline, with a notice; nothing of a user is ever saved.
import assert from 'node:assert/strict';
import { eventually, open, phone, signIn, test } from './fixtures.mjs';

const savedUrls = (page) =>
  page.evaluate(async () => {
    const urls = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) urls.push(new URL(url).pathname);
    return urls;
  });

test(
  'Seen products can be read offline with a notice; pages of the user and the API are never saved',
  async ({ page, context }) => {
    await open(page, '/');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await eventually(
      () => savedUrls(page),
      (urls) => urls.includes('/') && urls.some((url) => url.endsWith('.js')),
    );
    // Reached by a link, so that no page is requested for it.
    await page.locator('#trending article h3 a').first().click();
    await page.waitForURL('**/product/**');
    const { pathname } = new URL(page.url());
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await eventually(
      () => savedUrls(page),
      (urls) => urls.includes(pathname),
    );
    await signIn(page, 'offline@example.com', '/orders');
    await open(page, '/checkout');
    await context.setOffline(true);
    try {
      // A service worker that the browser has just started again is online for a moment.
      await eventually(
        async () => {
          await page.goto(pathname, { waitUntil: 'domcontentloaded' });
          return (await page.locator('#offline-notice').allInnerTexts()).join();
        },
        (text) => /^You are offline\. .* prices and stock may have changed/.test(text),
      );
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const bar = await page.locator('.buy-bar').boundingBox();
      const notice = await page.locator('#offline-notice, .offline-notice').first().boundingBox();
      assert.ok(bar.y + bar.height <= notice.y + 1, 'the notice is below the bar with Add to Cart');
      // The picture that the page asked for first, or another size of it.
      await page.goto('/', { waitUntil: 'domcontentloaded' });
      const hero = page.locator('.carousel-fade img').first();
      await eventually(
        () => hero.evaluate((image) => image.complete && image.naturalWidth),
        (width) => width > 0,
      );
      const response = await page.goto('/orders', { waitUntil: 'domcontentloaded' });
      assert.equal(response.status(), 503);
      await page.getByRole('heading', { name: 'You are offline' }).waitFor();
      const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await paper(), 'rgb(251, 243, 228)', 'in the colours of the shop');
      await page.getByRole('link', { name, exact: true }).waitFor();
      const urls = await savedUrls(page);
      const isOfUser = (url) => /^\/(api|orders|checkout|user|wishlist|admins|payment|sandbox)/.test(url);
      assert.deepEqual(urls.filter(isOfUser), []);
    } finally {
      await context.setOffline(false);
    }
    await open(page, pathname);
    await eventually(() => page.locator('#offline-notice').count(), 0, 'online the page is not the saved one');
  },
  {
    viewport: phone,
    serviceWorkers: 'allow',
    expected: [/ERR_INTERNET_DISCONNECTED/, /Failed to (fetch|load)/, /503/],
  },
);

test(
  'Offline, a press that needs the network is answered: its code is there',
  async ({ page, context }) => {
    await open(page, '/sub-products');
    await eventually(
      () => savedUrls(page),
      (urls) => ['toaster', 'login-modal', 'cart-panel'].every((name) => urls.some((url) => url.includes(name))),
    );
    await context.setOffline(true);
    try {
      await page
        .getByRole('button', { name: /^Add one/ })
        .first()
        .click();
      await page.getByRole('dialog', { name: 'Welcome Back!' }).waitFor();
      await page.getByText('Please login to add items to cart').first().waitFor();
    } finally {
      await context.setOffline(false);
    }
  },
  { viewport: phone, serviceWorkers: 'allow', expected: [/ERR_INTERNET_DISCONNECTED/, /Failed to (fetch|load)/] },
);
