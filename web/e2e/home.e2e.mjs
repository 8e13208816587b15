// Specification, section 2: Home page; section 9: the figures of its carousels.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import {
  desktop,
  eventually,
  open,
  openWithFakeClock,
  phone,
  products,
  test,
  waitForIdle,
  withMotion,
} from './fixtures.mjs';

const perView = (page, id) =>
  page.locator(`#${id}`).evaluate((section) => {
    const [frame, slide] = [section.querySelector('.carousel-row'), section.querySelector('.carousel-slide')];
    const style = getComputedStyle(slide);
    const gap = Number.parseFloat(style.marginRight);
    return { gap, count: Math.round((frame.clientWidth + gap) / (slide.getBoundingClientRect().width + gap)) };
  });

async function started(page, id) {
  await page.locator(`#${id}`).scrollIntoViewIfNeeded();
  await page.locator(`#${id} [data-started]`).waitFor();
}

test('Hero banner: 9 slides, fade, looping, each with heading, button and a link to /product/{id}', async ({
  page,
}) => {
  await open(page, '/');
  const hero = page.getByRole('region', { name: 'Our masalas' });
  await hero.locator('.carousel-fade').waitFor();
  await eventually(() => hero.locator('.carousel-slide').count(), 9);
  const buttons = await hero
    .locator('.carousel-slide a')
    .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('href')]));
  for (const label of [
    'Shop Now',
    'Get Peri-Peri Mix',
    'Shop Falafel Mix',
    'Shop Manchurian Mix',
    'Shop Misal Masala',
    'Get Italian Mix',
  ]) {
    assert.ok(
      buttons.some(([text]) => text === label),
      label,
    );
  }
  for (const [, href] of buttons) {
    const response = await page.request.get(`/api/products/api/productInfo/${href.split('/').pop()}`);
    assert.equal(response.status(), 200, href);
  }
});

test(
  'Hero: clickable pagination dots; auto-advance every 7000 ms; pause on hover',
  async ({ page }) => {
    await openWithFakeClock(page, '/');
    const hero = page.getByRole('region', { name: 'Our masalas' });
    await hero.locator('.carousel-fade').waitFor();
    const current = () => hero.locator('button[aria-current=true]').getAttribute('aria-label');
    await hero.getByRole('button', { name: /^Slide 4/ }).click();
    await page.clock.runFor(100);
    await eventually(current, /^Slide 4/);
    await page.mouse.move(700, 400);
    await page.clock.runFor(20_000);
    assert.match(await current(), /^Slide 4/, 'waits while hovered');
    await page.mouse.move(700, 5);
    await page.clock.runFor(5000);
    assert.match(await current(), /^Slide 4/, 'not sooner');
    await page.clock.runFor(2000);
    await eventually(current, /^Slide 5/);
  },
  withMotion,
);

/** As many frames as a click may take to show. */
const MARGIN_MS = 100;

test(
  'Hero: 7000 ms from the start of one slide to the start of the next, the fade included',
  async ({ page }) => {
    await openWithFakeClock(page, '/');
    const hero = page.getByRole('region', { name: 'Our masalas' });
    await hero.locator('.carousel-fade').waitFor();
    const current = () => hero.locator('button[aria-current=true]').getAttribute('aria-label');
    await page.mouse.move(700, 5);
    await hero.getByRole('button', { name: /^Slide 4/ }).evaluate((dot) => dot.click());
    await eventually(async () => {
      await page.clock.runFor(1);
      return current();
    }, /^Slide 4/);
    // The fade runs in the browser's real time, which hardly passes here: only the slides' clock does.
    for (const next of [5, 6, 7]) {
      await page.clock.runFor(7000 - MARGIN_MS);
      assert.match(await current(), new RegExp(`^Slide ${next - 1}`), 'not sooner');
      await page.clock.runFor(MARGIN_MS);
      await eventually(current, new RegExp(`^Slide ${next}`));
    }
  },
  withMotion,
);

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

for (const [path, parts, viewports] of [
  ['/', 'main section, footer', [phone, desktop]],
  ['/sub-products', 'main li, footer', [phone]],
  ['/product/goda-masala', 'main section, footer', [phone]],
]) {
  for (const viewport of viewports) {
    test(
      `Nothing of ${path} is blank in a capture of the whole page, on screen or in print (${viewport.width} px)`,
      async ({ page }) => {
        await open(page, path);
        // Never scrolled: what is far below must be there all the same. A new shop first renders the images' sizes.
        await page.waitForFunction(
          () => [...document.images].every((one) => !one.checkVisibility() || (one.complete && one.naturalWidth > 0)),
          null,
          { timeout: 2 * 60_000 },
        );
        for (const media of ['screen', 'print']) {
          await page.emulateMedia({ media });
          const boxes = (await boxesOf(page, parts)).filter(({ width, height }) => width > 0 && height > 0);
          // A product prints without what only a screen can do.
          assert.ok(boxes.length > (media === 'print' ? 0 : 2), path);
          const colours = await coloursOf(page, await page.screenshot({ fullPage: true, type: 'jpeg' }), boxes);
          const blank = boxes.filter((_, at) => colours[at] < 8).map(({ name }) => name);
          assert.deepEqual(blank, [], media);
        }
        await page.emulateMedia({ media: null });
        const skipped = await page.evaluate(
          () =>
            [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).contentVisibility !== 'visible')
              .length,
        );
        assert.equal(skipped, 0, 'nor is anything left out while one scrolls');
      },
      { viewport },
    );
  }
}

test('Why Choose Us: tapping one opens a modal card; closes by close button or backdrop click', async ({ page }) => {
  await open(page, '/');
  const titles = ['100% Pure Ingredients', 'No Preservative', 'Hygienic Packaging', 'Traditional Blend'];
  for (const title of titles) {
    await page.getByRole('button', { name: title }).click();
    const card = page.getByRole('dialog', { name: title });
    await card.waitFor();
    if (title === 'No Preservative') await page.mouse.click(20, 450);
    else await card.getByRole('button', { name: 'Close' }).click();
    await card.waitFor({ state: 'hidden' });
  }
});

test('Top Categories: a click goes to /sub-products?category={label}; arrows disable at the ends', async ({ page }) => {
  await open(page, '/');
  await started(page, 'categories');
  await eventually(() => perView(page, 'categories'), { gap: 20, count: 5 });
  const section = page.locator('#categories');
  const labels = ['Veg', 'Non-Veg', 'Maharashtrian', 'Beverages', 'Snacks', 'Soups', 'Rice Mixes', 'South Indian'];
  const hrefs = await section
    .locator('.carousel-slide a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.deepEqual(
    hrefs,
    labels.map((label) => `/sub-products?category=${encodeURIComponent(label)}`),
  );
  const [back, on] = [section.getByRole('button', { name: /Previous/ }), section.getByRole('button', { name: /Next/ })];
  const first = () =>
    section.locator('.carousel-slide').evaluateAll((slides) => slides.findIndex((one) => one.matches('[data-active]')));
  await eventually(() => back.isDisabled(), true);
  for (let step = 1; step <= 3; step++) {
    await on.click();
    await eventually(first, step);
  }
  await eventually(() => on.isDisabled(), true);
  await eventually(() => back.isDisabled(), false);
  await section.getByRole('link', { name: 'South Indian' }).click();
  await page.waitForURL((url) => url.searchParams.get('category') === 'South Indian');
  await page.waitForFunction(() => window.scrollY === 0);
});

test(
  'Carousels on a phone: 2 categories and 3 trending cards per view',
  async ({ page }) => {
    await open(page, '/');
    await started(page, 'categories');
    await eventually(() => perView(page, 'categories'), { gap: 16, count: 2 });
    await started(page, 'trending');
    await eventually(() => perView(page, 'trending'), { gap: 10, count: 3 });
  },
  { viewport: phone },
);

test('The rating of a trending card is one line inside the card, on every screen', async ({ page }) => {
  await mockApi(page, '/api/products/api/trending', async (request) => {
    const { status, json } = await request.fetch();
    const rated = json.products.map((product) => ({ ...product, rating: { value: 4.7, count: 129 } }));
    await request.fulfill({ status, json: { products: rated } });
  });
  await open(page, '/contact-us');
  await page.getByRole('banner').getByRole('link').first().click();
  const trending = page.locator('#trending');
  const lines = trending.locator('article p:has([role="img"][aria-label="4.7 of 5 stars"])');
  await lines.first().waitFor();
  await started(page, 'trending');
  for (const width of [320, 360, 390, 640, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await waitForIdle(page);
    const wrong = await lines.evaluateAll(
      (all) =>
        all.filter((line) => {
          const { right } = line.closest('article').getBoundingClientRect();
          const isWide = [...line.children].some((part) => part.getBoundingClientRect().right > right + 0.5);
          return isWide || line.clientHeight > 1.5 * Number.parseFloat(getComputedStyle(line).lineHeight);
        }).length,
    );
    assert.equal(wrong, 0, `at ${width} px`);
  }
});

test('Trending Masalas: 5 per view from 1024px; image, name, first mrp, first net weight, Shop Now', async ({
  page,
}) => {
  await open(page, '/');
  await started(page, 'trending');
  await eventually(() => perView(page, 'trending'), { gap: 10, count: 5 });
  const { products } = await (await page.request.get('/api/products/api/trending')).json();
  const card = page.locator('#trending article').first();
  const [first] = products;
  const text = await card.innerText();
  assert.ok(text.includes(first.product_name));
  assert.ok(text.includes(`₹${first.mrp[0]}`));
  assert.ok(text.includes(`${first.net_wt[0].value} ${first.net_wt[0].unit}`));
  assert.ok(text.includes('Shop Now'));
  await eventually(() => card.locator('h3 a').getAttribute('href'), `/product/${first._id}`);
});

test('Flavors of the World: Chinese, Mexican, Italian, Lebanese, Malaysian, each finds products', async ({ page }) => {
  await open(page, '/');
  const hrefs = await page
    .locator('#cuisines .carousel-slide a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  assert.deepEqual(
    hrefs,
    ['Chinese', 'Mexican', 'Italian', 'Lebanese', 'Malaysian'].map((label) => `/sub-products?category=${label}`),
  );
  // The filter itself is tested in products.e2e.mjs.
  const all = await products(page);
  for (const href of hrefs) {
    const label = href.split('=')[1];
    assert.ok(all.filter(({ category }) => category.includes(label)).length >= 2, `two products for ${href}`);
  }
  await page.locator('#cuisines').getByRole('link', { name: 'Mexican' }).click();
  await page.waitForURL((url) => url.searchParams.get('category') === 'Mexican');
  await eventually(
    () => page.locator('main article').count(),
    (count) => count >= 2,
  );
});

test(
  'Testimonials: 10, coverflow on desktop, autoplay that can be stopped',
  async ({ page }) => {
    await openWithFakeClock(page, '/');
    const section = page.getByRole('region', { name: 'Testimonials' });
    await section.scrollIntoViewIfNeeded();
    // It is hydrated when it is seen and the page is idle; both clocks have to run for that.
    await eventually(async () => {
      await page.clock.runFor(50);
      return section.locator('[data-started] .carousel-coverflow').count();
    }, 1);
    const perspective = (list) => getComputedStyle(list).perspective;
    assert.notEqual(await section.locator('.carousel-coverflow').evaluate(perspective), 'none');
    await eventually(() => section.locator('.carousel-slide').count(), 10);
    const active = () => section.locator('[data-active]').innerText();
    const first = await active();
    await page.mouse.move(5, 5);
    await page.clock.runFor(2100);
    const second = await eventually(active, (now) => now !== first);
    await section.getByRole('button', { name: 'Pause the testimonials' }).click();
    await page.clock.runFor(10_000);
    assert.equal(await active(), second, 'stopped');
  },
  withMotion,
);

test(
  'Testimonials: a single slide on mobile',
  async ({ page }) => {
    await open(page, '/');
    const section = page.getByRole('region', { name: 'Testimonials' });
    await section.scrollIntoViewIfNeeded();
    await section.locator('[data-started]').waitFor();
    const [perspective, width, slide] = await section
      .locator('.carousel-coverflow')
      .evaluate((list) => [
        getComputedStyle(list).perspective,
        list.clientWidth,
        list.querySelector('[data-active]').clientWidth,
      ]);
    assert.deepEqual([perspective, slide], ['none', width]);
  },
  { viewport: phone },
);

test('A floating WhatsApp chat link on the home page; footer with social, Company and policy links', async ({
  page,
}) => {
  await open(page, '/');
  assert.match(
    await page.getByRole('link', { name: 'Chat with us on WhatsApp' }).getAttribute('href'),
    /^https:\/\/wa\.me\//,
  );
  const footer = page.getByRole('contentinfo');
  for (const name of ['Company', 'Policies'])
    await eventually(() => footer.getByRole('navigation', { name }).count(), 1);
  assert.ok((await footer.getByRole('link', { name: / on (Instagram|Facebook|YouTube|X)$/ }).count()) >= 3);
});

test(
  'Nothing moves by itself under reduced motion',
  async ({ page }) => {
    await open(page, '/');
    const hero = page.getByRole('region', { name: 'Our masalas' });
    await hero.locator('[data-started]').waitFor();
    await hero.getByRole('button', { name: 'Play the slides' }).waitFor();
  },
  { viewport: desktop, reducedMotion: 'reduce' },
);
