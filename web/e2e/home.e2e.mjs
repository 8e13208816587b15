// Specification, section 2: Home page; section 9: the figures of its carousels. That nothing is blank is in
// whole-page.e2e.mjs.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import { eventually, open, openWithFakeClock, phone, products, test, waitForIdle, withMotion } from './fixtures.mjs';

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

test('Hero banner: 9 slides, fade, looping, at rest under reduced motion, each with a link to /product/{id}; WhatsApp; footer', async ({
  page,
}) => {
  await open(page, '/');
  const hero = page.getByRole('region', { name: 'Our masalas' });
  await hero.locator('[data-started]').waitFor();
  await hero.getByRole('button', { name: 'Play the slides' }).waitFor();
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
  'Carousels on a phone: 2 categories, 3 trending cards and 1 testimonial per view',
  async ({ page }) => {
    await open(page, '/');
    await started(page, 'categories');
    await eventually(() => perView(page, 'categories'), { gap: 16, count: 2 });
    await started(page, 'trending');
    await eventually(() => perView(page, 'trending'), { gap: 10, count: 3 });
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

test('Trending Masalas: 5 per view from 1024px, each card with its facts; Flavors of the World: each finds products', async ({
  page,
}) => {
  await open(page, '/');
  await started(page, 'trending');
  await eventually(() => perView(page, 'trending'), { gap: 10, count: 5 });
  const { products: trending } = await (await page.request.get('/api/products/api/trending')).json();
  const card = page.locator('#trending article').first();
  const [first] = trending;
  const text = await card.innerText();
  assert.ok(text.includes(first.product_name));
  assert.ok(text.includes(`₹${first.mrp[0]}`));
  assert.ok(text.includes(`${first.net_wt[0].value} ${first.net_wt[0].unit}`));
  assert.ok(text.includes('Shop Now'));
  await eventually(() => card.locator('h3 a').getAttribute('href'), `/product/${first._id}`);
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
