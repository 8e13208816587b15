// Shop features beyond the specification: sorting, cook mode, what stays in view, carousel dots, several tabs. What cards
// and cart say of the stock is tested in src/app/pages/catalogue and src/features.
import assert from 'node:assert/strict';
import { mockApi } from './api-mocks.mjs';
import { expectCartLabel, newCustomer, order, putIntoCart } from './customer-fixtures.mjs';
import { addInitScript, desktop, eventually, open, phone, products, tablet, test, waitForIdle } from './fixtures.mjs';

const names = (page) => page.locator('main article h2').allTextContents();
const card = (page, name) => page.locator('main article').filter({ has: page.getByRole('heading', { name }) });

for (const viewport of [phone, tablet]) {
  test(
    `Name, price and Add to Cart are on the first screen and stay there at ${viewport.width} px`,
    async ({ page }) => {
      await open(page, '/product/goda-masala');
      const bar = page.locator('.buy-bar');
      const isInView = () =>
        bar.evaluate((node) => {
          const { top, bottom } = node.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        });
      await eventually(() => bar.innerText(), /Goda Masala\s+₹65[\s\S]*Choose a pack/);
      assert.equal(await isInView(), true);
      await eventually(() => bar.getByRole('button', { name: 'Add to Cart' }).isDisabled(), true);
      await bar.getByRole('link', { name: 'Choose a pack' }).click();
      const more = page.getByRole('button', { name: 'More: 50 g packs' });
      await eventually(() => more.evaluate((node) => node.getBoundingClientRect().bottom < innerHeight - 90), true);
      await more.click();
      await eventually(() => bar.innerText(), /1 pack · ₹65/);
      await eventually(() => bar.getByText('Choose a pack').count(), 0);
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      assert.equal(await isInView(), true, 'at the end of the page');
      const covered = await page.evaluate(() => {
        const last = document.querySelector('#root > :last-child, footer');
        return last.getBoundingClientRect().bottom > document.querySelector('.buy-bar').getBoundingClientRect().top + 1;
      });
      assert.equal(covered, false, 'the page ends above the bar');
    },
    { viewport },
  );
}

test(
  'Cook mode: large steps, the next one, quantities for 2, 4 or 8 people, keys',
  async ({ page }) => {
    await addInitScript(page, () => {
      window.locks = [];
      Object.defineProperty(navigator, 'wakeLock', {
        value: {
          request: async (kind) => ({ kind: window.locks.push(kind), release: async () => window.locks.pop() }),
        },
      });
    });
    await open(page, '/product/goda-masala');
    await page.getByRole('link', { name: 'Recipe' }).click();
    await page.getByRole('button', { name: 'Start cooking' }).click();
    const dialog = page.getByRole('dialog', { name: 'Goda Masala' });
    await dialog.getByText('Step 1 of 6').waitFor();
    await eventually(() => page.evaluate(() => window.locks), ['screen']);
    await dialog.getByText(/^Mix ½\scup/).waitFor();
    const size = await dialog.getByText(/^For bharli vangi/).evaluate((node) => getComputedStyle(node).fontSize);
    assert.ok(Number.parseFloat(size) >= 26, size);
    await dialog.getByRole('button', { name: 'Next step' }).click();
    await dialog.getByText('Step 2 of 6').waitFor();
    await dialog.getByText(/2\stablespoons \(about\s14\sg\) Goda Masala,/).waitFor();
    await dialog.getByText('8 people').click();
    await dialog.getByText(/4\stablespoons \(about\s28\sg\) Goda Masala,/).waitFor();
    await dialog.getByRole('button', { name: 'Previous' }).focus();
    await page.keyboard.press('ArrowLeft');
    await dialog.getByText(/slit 16\ssmall brinjals/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await eventually(() => page.evaluate(() => window.locks), []);
  },
  { viewport: phone, deviceScaleFactor: 2 },
);

test('Sorting by popularity, price, name and age is in the URL and survives a reload', async ({ page }) => {
  const all = await products(page);
  const ranked = all.filter((one) => one.trendingRank).sort((one, other) => one.trendingRank - other.trendingRank);
  await open(page, '/sub-products');
  assert.equal((await names(page))[0], ranked[0].product_name, 'the most popular first');
  const sort = page.getByRole('combobox', { name: 'Sort by' });
  const expected = {
    price: [...all].sort((one, other) => one.mrp[0] - other.mrp[0])[0].product_name,
    name: all.map((one) => one.product_name).sort()[0],
    new: all.at(-1).product_name,
  };
  for (const [value, first] of Object.entries(expected)) {
    await sort.selectOption(value);
    await page.waitForURL((url) => url.searchParams.get('sort') === value);
    await eventually(async () => (await names(page))[0], first, value);
  }
  await page.reload();
  await waitForIdle(page);
  assert.equal((await names(page))[0], expected.new);
  await eventually(() => sort.inputValue(), 'new');
  await page.getByRole('checkbox', { name: 'Soups' }).click();
  await page.waitForURL((url) => url.search === '?category=Soups&sort=new');
  await sort.selectOption('popular');
  await page.waitForURL((url) => url.search === '?category=Soups');
});

for (const width of [320, 390, 1440])
  test(
    `A card keeps its size when its product is put into the cart, and nothing on it covers another (${width} px)`,
    async ({ page }) => {
      await newCustomer(page, '/sub-products');
      const one = card(page, 'Peri-Peri Mix');
      const before = await one.boundingBox();
      await page.getByRole('button', { name: 'Add one 50 g pack of Peri-Peri Mix to the cart' }).click();
      const take = page.getByRole('button', { name: 'Take one 50 g pack of Peri-Peri Mix out of the cart' });
      await take.waitFor();
      const after = await one.boundingBox();
      assert.deepEqual([after.width, after.height], [before.width, before.height]);
      const boxes = await one.getByRole('button').evaluateAll((all) =>
        all.map((button) => {
          const { left, right, top, bottom } = button.getBoundingClientRect();
          return {
            left,
            right,
            top,
            bottom,
            isShown: button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)),
          };
        }),
      );
      assert.equal(boxes.length, 3, 'heart, minus, plus');
      for (const { left, right, isShown } of boxes)
        assert.ok(isShown && left >= after.x && right <= after.x + after.width + 0.5, JSON.stringify(boxes));
      await take.click();
      await take.waitFor({ state: 'detached' });
      await expectCartLabel(page, 'Cart');
    },
    { viewport: { width, height: 844 } },
  );

test('The day of the delivery is told by the pincode that was entered last, and nothing moves', async ({ page }) => {
  await newCustomer(page);
  await putIntoCart(page, 'goda-masala', 1, 0);
  await open(page, '/product/goda-masala');
  await page.getByLabel('Deliver to').fill('411030');
  await page.getByText(/^Delivery by \w{3} \d+ \w{3}$/).waitFor();
  await addInitScript(page, () => {
    window.moved = [];
    const note = (list) =>
      window.moved.push(...list.getEntries().flatMap(({ sources }) => sources.map(({ node }) => node?.textContent)));
    new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true });
  });
  await open(page, '/product/chai-masala');
  await page.getByText(/^Delivery by \w{3} \d+ \w{3}$/).waitFor();
  await page.getByText('Pune, Maharashtra', { exact: true }).waitFor();
  const below = await page.getByRole('navigation', { name: 'On this page' }).textContent();
  const moved = await page.evaluate(() => window.moved);
  assert.deepEqual(
    moved.filter((text) => text?.includes(below) || text?.includes('Deliver to')),
    [],
  );
  await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();
  await page
    .getByRole('dialog', { name: 'Your Cart' })
    .getByText(/^Delivery by/)
    .waitFor();
});

test(
  'Carousels on a phone have a dot for each view; a dot shows its view',
  async ({ page }) => {
    await open(page, '/');
    for (const [id, label, views] of [
      ['categories', 'Top Categories', 4],
      ['trending', 'Trending Masalas', 4],
      ['cuisines', 'Flavors of the World', 3],
    ]) {
      const section = page.locator(`#${id}`);
      await section.scrollIntoViewIfNeeded();
      await section.locator('[data-started]').waitFor();
      const dots = section.getByRole('button', { name: `${label}: ` }).locator('visible=true');
      await eventually(() => dots.count(), views, id);
      await dots.last().click();
      await eventually(() => dots.last().getAttribute('aria-current'), 'true', id);
      await eventually(() => section.locator('.carousel-slide').last().evaluate(isFullyInView), true, id);
    }
  },
  { viewport: phone },
);

function isFullyInView(node) {
  const { left, right } = node.getBoundingClientRect();
  return left >= 0 && right <= window.innerWidth;
}

test('Cart and session of two tabs agree, also the badge', async ({ page, context }) => {
  await open(page, '/about-us');
  const other = await context.newPage();
  await open(other, '/about-us');
  await other.getByRole('banner').getByRole('button', { name: 'Sign In' }).waitFor();
  // Signed in in one tab, noticed in the other one, which has no focus event here.
  await newCustomer(page, '/product/goda-masala');
  await other.getByRole('banner').getByText('Asha', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'More: 50 g packs' }).click();
  await page.getByRole('button', { name: 'Add to Cart' }).click();
  await expectCartLabel(page, 'Cart, 1 pack');
  await expectCartLabel(other, 'Cart, 1 pack');
  await other.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();
  await other.getByRole('button', { name: 'Remove Goda Masala' }).click();
  await expectCartLabel(page, 'Cart');
});

for (const viewport of [phone, desktop]) {
  test(
    `The WhatsApp link never covers text or controls at ${viewport.width} px`,
    async ({ page }) => {
      await open(page, '/');
      const link = page.getByRole('link', { name: 'Chat with us on WhatsApp' }).first();
      let wasShown = 0;
      const height = await page.evaluate(() => document.body.scrollHeight);
      for (let top = 0; top < height; top += Math.round(viewport.height / 3)) {
        await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
        await eventually(
          () =>
            link.evaluate(async (node) => {
              await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
              const isShown = getComputedStyle(node).opacity !== '0';
              const box = node.getBoundingClientRect();
              const overlaps = [
                ...document.querySelectorAll('main :is(p, h1, h2, h3, a, button, span), footer :is(p, a, h2)'),
              ]
                .filter((each) => !node.contains(each) && each.checkVisibility({ opacityProperty: true }))
                .filter(
                  (each) =>
                    each.matches('a, button') ||
                    [...each.childNodes].some((child) => child.nodeType === 3 && child.nodeValue.trim()),
                )
                .filter((each) => !each.closest('[inert]'))
                .filter((each) => {
                  const range = document.createRange();
                  range.selectNodeContents(each);
                  return [...range.getClientRects()].some(
                    (text) =>
                      text.left < box.right && text.right > box.left && text.top < box.bottom && text.bottom > box.top,
                  );
                })
                .map((each) => each.textContent.slice(0, 40));
              return isShown ? overlaps : [];
            }),
          [],
          `at ${top} px`,
        );
        if (await link.evaluate((node) => getComputedStyle(node).opacity !== '0')) wasShown++;
      }
      assert.ok(wasShown > 0, 'it is shown where there is room');
    },
    { viewport },
  );
}

test(
  'A pending payment shows one order number, warns against paying twice and leads to the order',
  async ({ page }) => {
    await newCustomer(page);
    const pending = order({ paymentStatus: 'pending', orderStatus: 'pending' });
    await mockApi(page, '/api/payment/order/db/*', (request) =>
      request.fulfill({ json: { success: true, message: 'ok', order: pending } }),
    );
    await mockApi(page, '/api/user/orders', (request) => request.fulfill({ json: { orders: [pending] } }));
    await mockApi(page, '/api/user/orders/*', (request) => request.fulfill({ json: { order: pending } }));
    await open(page, '/payment/status?merchantOrderId=MIR-TEST-1');
    await page.getByText('Please do not pay a second time.').waitFor();
    const size = (text) => page.getByText(text).evaluate((node) => Number.parseFloat(getComputedStyle(node).fontSize));
    assert.ok((await size('Order #0A1B2C3D')) > (await size('Merchant order id: MIR-TEST-1')));
    await page.getByRole('link', { name: 'See this order' }).click();
    await page.getByRole('dialog', { name: 'Order #0A1B2C3D' }).waitFor();
  },
  { viewport: phone },
);

test(
  'Order details on a phone keep their close button in view',
  async ({ page }) => {
    await newCustomer(page);
    const placed = order();
    await mockApi(page, '/api/user/orders', (request) => request.fulfill({ json: { orders: [placed] } }));
    await mockApi(page, '/api/user/orders/*', (request) => request.fulfill({ json: { order: placed } }));
    await open(page, `/orders?order=${placed._id}`);
    const dialog = page.getByRole('dialog', { name: 'Order #0A1B2C3D' });
    await dialog.getByText('Merchant order id').scrollIntoViewIfNeeded();
    const close = dialog.getByRole('button', { name: 'Close' });
    const { y, height } = await close.boundingBox();
    assert.ok(y >= 0 && y + height < 200, `${y} px from the top`);
    await close.click();
    await dialog.waitFor({ state: 'hidden' });
  },
  { viewport: { width: 390, height: 640 } },
);
