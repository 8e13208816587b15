// Specification, section 2: the route table; preloaded images, scroll positions. What static pages say, and the titles after
// a navigation, are tested in src/app/pages/static-pages.test.tsx.
import assert from 'node:assert/strict';
import { desktop, eventually, open, phone, test } from './fixtures.mjs';

const titles = {
  '/checkout': 'Delivery Address',
  '/payment/status': 'Payment',
  '/api/payment/redirect': 'Payment',
  '/user/dashboard/profile': 'My Profile',
  '/user/dashboard/orders': 'My Orders',
  '/orders': 'My Orders',
  '/wishlist': 'Your Wishlist',
  '/about-us': 'About Us',
  '/contact-us': 'Contact Us',
  '/cancellation-policy': 'Cancellation & Refund',
  '/privacy-policy': 'Privacy Policy',
  '/shipping-policy': 'Shipping & Delivery',
  '/terms-and-conditions': 'Terms and Conditions',
};

test('Every path of the route table is served with its title; an unknown one has status 404', async ({ page }) => {
  const titleOf = (html) => /<title>([^<]*)/.exec(html)[1].replaceAll('&amp;', '&');
  for (const [path, title] of Object.entries(titles)) {
    const response = await page.request.get(path);
    assert.equal(response.status(), 200, path);
    assert.ok(titleOf(await response.text()).startsWith(title), path);
  }
  assert.equal((await page.request.get('/no/such/page')).status(), 404);
});

for (const viewport of [phone, desktop]) {
  test(
    `A preloaded image is one that the page shows, and the page keeps its description, ${viewport.width} px wide`,
    async ({ page }) => {
      for (const path of ['/', '/sub-products', '/product/goda-masala']) {
        await open(page, path);
        const [preloaded, unused] = await page.evaluate(() => {
          const links = [...document.querySelectorAll('link[rel=preload][as=image]')];
          const matching = links.filter(({ media }) => matchMedia(media).matches);
          const isShown = ({ imageSrcset, imageSizes }) =>
            [...document.querySelectorAll('img, source')].some(
              ({ srcset, sizes }) => srcset === imageSrcset && sizes === imageSizes,
            );
          return [matching.length, matching.filter((link) => !isShown(link)).map((link) => link.imageSrcset)];
        });
        assert.ok(preloaded > 0, path);
        assert.deepEqual(unused, [], path);
        const description = page.locator('head meta[name="description"]');
        assert.ok(await description.getAttribute('content'), `${path} keeps its description for search engines`);
      }
    },
    { viewport },
  );
}

test('A new page starts at its top, Back restores the scroll position', async ({ page }) => {
  await open(page, '/sub-products');
  const place = () => page.evaluate(() => window.scrollY);
  await page.locator('main article :is(h2, h3) a').nth(9).scrollIntoViewIfNeeded();
  const left = await eventually(place, (now) => now > 100);
  await page.locator('main article :is(h2, h3) a').nth(9).click();
  await page.waitForURL('**/product/**');
  await eventually(place, 0);
  await page.goBack();
  await eventually(place, (now) => Math.abs(now - left) < 400);
});
