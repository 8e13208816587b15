// Specification, section 2: static pages and the route table; section 9: the policies' figures.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import { desktop, eventually, failure, open, phone, test } from './fixtures.mjs';

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

test('Every path of the route table has its title', async ({ page }) => {
  for (const [path, title] of Object.entries(titles)) {
    const response = await open(page, path);
    assert.equal(response.status(), 200, path);
    await eventually(
      () => page.title(),
      (shown) => shown.startsWith(title),
      path,
    );
  }
});

test('A loaded page keeps its description for search engines', async ({ page }) => {
  for (const path of ['/', '/sub-products', '/product/goda-masala']) {
    await open(page, path);
    const description = page.locator('head meta[name="description"]');
    assert.ok(await description.getAttribute('content'), path);
  }
});

for (const viewport of [phone, desktop]) {
  test(
    `A preloaded image is one that the page shows, ${viewport.width} px wide`,
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
      }
    },
    { viewport },
  );
}

test(
  'An unknown path has status 404',
  async ({ page }) => {
    const response = await open(page, '/no/such/page');
    assert.equal(response.status(), 404);
    await page.getByRole('heading', { name: 'This shelf is empty' }).waitFor();
  },
  { expected: [/404/] },
);

test('Policies name their figures, the support phone and email', async ({ page }) => {
  const read = async (path) => {
    await open(page, path);
    return page.locator('main').innerText();
  };
  const cancellation = await read('/cancellation-policy');
  for (const figure of ['11:59 PM IST', 'same calendar day', 'same day of delivery', '3-5 days', '7 days']) {
    assert.ok(cancellation.includes(figure), figure);
  }
  const shipping = await read('/shipping-policy');
  for (const figure of ['0-7 business days', '3-5 days']) assert.ok(shipping.includes(figure), figure);
  const { shop } = await (await page.request.get('/api/shop')).json();
  assert.ok(shipping.includes(shop.supportPhone) && shipping.includes(shop.supportEmail));
});

test(
  'Contact Us: form with name, email, message; social links; address; embedded map',
  async ({ page }) => {
    await open(page, '/contact-us');
    await page.getByLabel('Name').fill('Asha');
    await page.getByLabel('Email').fill('asha@example.com');
    await page.getByLabel('Message').fill('Do you grind on Sundays?');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Your message has been sent successfully!').waitFor();
    await eventually(() => page.locator('iframe').getAttribute('src'), /^https:\/\/www\.openstreetmap\.org\//);
    await mockApi(page, '/api/api/queries', (request) => request.fulfill(failure(500, 'internal', 'x')));
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('An error occurred. Please try again later.').waitFor();
  },
  { expected: [/500/] },
);

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
