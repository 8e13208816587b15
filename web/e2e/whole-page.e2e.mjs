// Every public page is complete in a capture of the whole page and in print, without scrolling: no image is missing, no
// text is hidden, nothing is blank.
import assert from 'node:assert/strict';
import { open, phone, test } from './fixtures.mjs';

const PAGES = [
  '/',
  '/sub-products',
  '/sub-products?category=Veg',
  '/products',
  '/search?q=masala',
  '/product/goda-masala',
  '/categories/Veg',
  '/cuisines/thai',
  '/about-us',
  '/contact-us',
  '/cancellation-policy',
  '/privacy-policy',
  '/shipping-policy',
  '/terms-and-conditions',
];

for (const path of PAGES) {
  test(
    `Nothing of ${path} is missing in a capture or in print`,
    async ({ page }) => {
      await open(page, path);
      await page.waitForFunction(
        () => [...document.images].every((one) => !one.checkVisibility() || (one.complete && one.naturalWidth > 0)),
        null,
        { timeout: 2 * 60_000 },
      );
      for (const media of ['screen', 'print']) {
        await page.emulateMedia({ media });
        const missing = await page.evaluate((media) => {
          const isShown = (one) =>
            one.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
          // Slides other than the current one are hidden on screen on purpose; on paper all testimonials are there.
          const isSlide = (one) => one.closest(media === 'print' ? '.carousel-fade' : '.carousel');
          const texts = [
            ...document.querySelectorAll('main :is(h1, h2, h3, p, li, dt, dd, blockquote, figcaption)'),
          ].filter(
            (one) =>
              one.textContent.trim() &&
              !isSlide(one) &&
              !one.closest('dialog, .sr-only, [hidden], [aria-hidden=true]') &&
              getComputedStyle(one).display !== 'none',
          );
          const outside = (one) => one.getBoundingClientRect().width === 0;
          return texts
            .filter((one) => one.checkVisibility() && (!isShown(one) || outside(one)))
            .map((one) => one.textContent.slice(0, 40));
        }, media);
        assert.deepEqual(missing, [], media);
      }
      const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      assert.ok(width[0] <= width[1], `nothing of it is cut off on paper: ${width}`);
      await page.emulateMedia({ media: null });
    },
    { viewport: phone },
  );
}
