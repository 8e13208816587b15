// Every public page is complete in a capture of the whole page and in print, without scrolling: no image is missing, no
// text is hidden, nothing is blank. With axe on the main pages on a phone: they are loaded here anyway.
import assert from 'node:assert/strict';
import { violations } from './axe.mjs';
import { open, phone, test, waitForIdle } from './fixtures.mjs';

/** How many colours each part of a page has in a screenshot, counted coarsely: an empty part has one or two. */
async function coloursOf(page, picture, boxes) {
  return page.evaluate(
    async ({ base64, boxes }) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const drawing = canvas.getContext('2d', { willReadFrequently: true });
      drawing.drawImage(bitmap, 0, 0);
      return boxes.map(({ x, y, width, height }) => {
        const { data } = drawing.getImageData(x, y, width, height);
        const seen = new Set();
        for (let at = 0; at < data.length; at += 4 * 7) seen.add([0, 1, 2].map((c) => data[at + c] >> 4).join());
        return seen.size;
      });
    },
    { base64: picture.toString('base64'), boxes },
  );
}

const boxesOf = (page, selector) =>
  page.locator(selector).evaluateAll((parts) =>
    parts.map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return {
        name: part.id || part.getAttribute('aria-label') || part.tagName,
        x: x + scrollX,
        y: y + scrollY,
        width,
        height,
      };
    }),
  );

/** What of a page must not be blank. */
const PARTS = {
  '/': 'main section, footer',
  '/sub-products': 'main li, footer',
  '/product/goda-masala': 'main section, footer',
};
/** The pages on which axe finds no violations on a phone. */
const ACCESSIBLE = ['/', '/sub-products', '/product/goda-masala', '/contact-us'];

/** On screen and in print. */
async function expectNothingBlank(page, path) {
  for (const media of ['screen', 'print']) {
    await page.emulateMedia({ media });
    const boxes = (await boxesOf(page, PARTS[path])).filter(({ width, height }) => width > 0 && height > 0);
    // A product prints without what only a screen can do.
    assert.ok(boxes.length > (media === 'print' ? 0 : 2), path);
    const colours = await coloursOf(page, await page.screenshot({ fullPage: true, type: 'jpeg' }), boxes);
    const blank = boxes.filter((_, at) => colours[at] < 8).map(({ name }) => name);
    assert.deepEqual(blank, [], `blank, ${media}`);
  }
  await page.emulateMedia({ media: null });
  const skipped = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).contentVisibility !== 'visible').length,
  );
  assert.equal(skipped, 0, 'nor is anything left out while one scrolls');
}

/** Never scrolled: what is far below must be there all the same. A new shop first renders the images' sizes. */
const waitForImages = (page) =>
  page.waitForFunction(
    () => [...document.images].every((one) => !one.checkVisibility() || (one.complete && one.naturalWidth > 0)),
    null,
    { timeout: 2 * 60_000 },
  );

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
      await waitForImages(page);
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
      if (PARTS[path]) await expectNothingBlank(page, path);
      if (!ACCESSIBLE.includes(path)) return;
      await waitForIdle(page);
      assert.deepEqual(await violations(page), [], 'accessible on a phone');
    },
    { viewport: phone },
  );
}

test('Nothing of / is blank in a capture or in print on a desktop', async ({ page }) => {
  await open(page, '/');
  await waitForImages(page);
  await expectNothingBlank(page, '/');
});
