// Specification, section 2: Cart panel; section 5: quantities. Fast clicks on a slow line, several tabs. Rejections are tested in
// src/features/cart/cart-panel.test.tsx.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { mockApi } from './api-mocks.mjs';
import { newCustomer, putIntoCart, send, testOnPhone, testOnPhoneAndDesktop } from './customer-fixtures.mjs';
import { eventually, open, test, waitForIdle } from './fixtures.mjs';

const LATENCY_MS = 500;
const CLICKS_AT_MS = [0, 200, 400, 600];

const panel = (page) => page.getByRole('dialog', { name: 'Your Cart' });
const more = (page, name) => panel(page).getByRole('button', { name: `More: ${name}, 50 g packs` });
const shown = (page, name) =>
  panel(page)
    .getByRole('group', { name: `${name}, 50 g packs` })
    .getByRole('status')
    .textContent();
const openPanel = (page) => page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();

/** Delays every change of the cart; returns how many were under way at the same time. */
async function slowCart(page) {
  const seen = { underWay: 0, most: 0, sent: 0 };
  await mockApi(page, '/api/cart/**', async (request) => {
    if (request.method === 'GET') return request.continue();
    seen.sent++;
    seen.most = Math.max(seen.most, ++seen.underWay);
    await pause(LATENCY_MS);
    const response = await request.fetch();
    seen.underWay--;
    await request.fulfill(response);
  });
  return seen;
}

/** Clicks in the page itself, so that they are as fast as those of a user on a busy machine too. */
const clickFast = (locator) =>
  locator.evaluate(
    (button, times) =>
      Promise.all(times.map((time) => new Promise((done) => setTimeout(() => done(button.click()), time)))),
    CLICKS_AT_MS,
  );

async function inCart(page) {
  const { cart } = await send(page, 'GET', '/api/cart/cart');
  return Object.fromEntries(cart.items.map(({ productId, qty_50g, qty_100g }) => [productId, [qty_50g, qty_100g]]));
}

testOnPhoneAndDesktop('Cart panel: only the list scrolls', async ({ page }) => {
  await newCustomer(page);
  for (const id of ['goda-masala', 'chai-masala', 'rasam-powder', 'sambar-masala', 'falafel-mix', 'biryani-masala'])
    await putIntoCart(page, id, 1, 0);
  await open(page, '/about-us');
  await openPanel(page);
  const title = panel(page).getByRole('heading', { name: 'Your Cart' });
  const last = panel(page).getByRole('button', { name: 'Clear cart' });
  const places = async () => (await Promise.all([title, last].map((one) => one.boundingBox()))).map(({ y }) => y);
  await waitForIdle(page);
  const [titleY, lastY] = await places();
  const scrollOn = async (locator) => {
    const { x, y } = await locator.boundingBox();
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.wheel(0, 300);
  };
  // Then on the list: when that has moved, the panel would have moved by the first scroll.
  await scrollOn(panel(page).getByText('Total', { exact: true }));
  await scrollOn(panel(page).getByRole('link', { name: 'Goda Masala' }).first());
  await eventually(
    async () => (await places())[1],
    (now) => now <= lastY - 300,
  );
  assert.equal((await places())[0], titleY, 'the title stays');
  const bars = await panel(page).evaluate(
    (dialog) =>
      [dialog, ...dialog.querySelectorAll('*')].filter(
        (one) =>
          one.scrollHeight > one.clientHeight + 1 && ['auto', 'scroll'].includes(getComputedStyle(one).overflowY),
      ).length,
  );
  assert.equal(bars, 1, 'one scrollbar');
});

testOnPhone('Cart panel: with 500 ms of latency, clicks at 0, 200, 400 and 600 ms all count', async ({ page }) => {
  await newCustomer(page, '/about-us');
  await putIntoCart(page, 'goda-masala', 1, 0);
  await open(page, '/about-us');
  await openPanel(page);
  await eventually(() => shown(page, 'Goda Masala'), '1');
  const seen = await slowCart(page);
  await clickFast(more(page, 'Goda Masala'));
  assert.equal(await shown(page, 'Goda Masala'), '5', 'every click shows at once');
  await eventually(() => seen.underWay, 0);
  await waitForIdle(page);
  assert.equal(await shown(page, 'Goda Masala'), '5', 'no response takes a click back');
  assert.deepEqual(await inCart(page), { 'goda-masala': [5, 0] });
  assert.equal(seen.most, 1, 'one request at a time');
  assert.ok(seen.sent < CLICKS_AT_MS.length, `waiting clicks are sent as one: ${seen.sent}`);
});

testOnPhone(
  'Cart panel: steps of two lines, a removal and packs down to nothing, all clicked at once',
  async ({ page }) => {
    await newCustomer(page, '/about-us');
    await putIntoCart(page, 'goda-masala', 1, 0);
    await putIntoCart(page, 'chai-masala', 1, 0);
    await putIntoCart(page, 'rasam-powder', 1, 0);
    await open(page, '/about-us');
    await openPanel(page);
    await eventually(() => shown(page, 'Rasam Powder'), '1');
    await slowCart(page);
    await more(page, 'Goda Masala').click();
    await more(page, 'Chai Masala').click();
    await more(page, 'Goda Masala').click();
    await panel(page).getByRole('button', { name: 'Remove Chai Masala' }).click();
    await panel(page).getByRole('button', { name: 'Less: Rasam Powder, 50 g packs' }).click();
    await eventually(() => panel(page).getByRole('listitem').count(), 1);
    await eventually(() => inCart(page), { 'goda-masala': [3, 0] });
    await waitForIdle(page);
    assert.equal(await shown(page, 'Goda Masala'), '3');
  },
);

test('Add to Cart pressed fast counts every time, beside the cart panel', async ({ page }) => {
  await newCustomer(page, '/product/goda-masala');
  await page.getByRole('button', { name: 'More: 50 g packs' }).click();
  await slowCart(page);
  await clickFast(page.getByRole('button', { name: 'Add to Cart' }));
  await openPanel(page);
  await eventually(() => inCart(page), { 'goda-masala': [CLICKS_AT_MS.length, 0] });
  await eventually(() => shown(page, 'Goda Masala'), '4');
  await clickFast(more(page, 'Goda Masala'));
  await eventually(() => inCart(page), { 'goda-masala': [8, 0] });
  await waitForIdle(page);
  assert.equal(await shown(page, 'Goda Masala'), '8');
});

test(
  'Two tabs: a change shows in the other tab, and neither overwrites the other',
  async ({ page, context }) => {
    await newCustomer(page, '/about-us');
    await putIntoCart(page, 'goda-masala', 1, 0);
    await open(page, '/about-us');
    const other = await context.newPage();
    await open(other, '/about-us');
    for (const tab of [page, other]) await openPanel(tab);
    await eventually(() => shown(other, 'Goda Masala'), '1');
    await more(page, 'Goda Masala').click();
    await eventually(() => shown(other, 'Goda Masala'), '2');
    // Meanwhile on a phone; no tab is notified.
    await putIntoCart(page, 'goda-masala', 3, 0);
    await more(other, 'Goda Masala').click();
    await eventually(() => inCart(page), { 'goda-masala': [6, 0] });
    for (const tab of [page, other]) await eventually(() => shown(tab, 'Goda Masala'), '6');
  },
  { expected: [/409/] },
);
