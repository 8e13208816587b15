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
      const response = await page.goto('/orders', { waitUntil: 'domcontentloaded' });
      assert.equal(response.status(), 503);
      await page.getByRole('heading', { name: 'You are offline' }).waitFor();
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
