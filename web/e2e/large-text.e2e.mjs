// Narrow screens and large text: no page scrolls sideways, and the controls of the header are on the screen. WCAG 2.2, 1.4.4 and
// 1.4.10.
import assert from 'node:assert/strict';
import { newCustomer, placeOrder, putIntoCart } from './customer-fixtures.mjs';
import { eventually, open, test, waitForIdle } from './fixtures.mjs';

const PAGES = [
  '/',
  '/sub-products',
  '/products',
  '/product/goda-masala',
  '/product/peri-peri-mix',
  '/checkout',
  '/orders',
  '/wishlist',
  '/user/dashboard/profile',
  '/contact-us',
  '/about-us',
  '/shipping-policy',
  '/privacy-policy',
  '/search?q=masala',
  '/categories/Veg',
  '/cuisines/italian',
  '/payment/status',
];

/** The size of text that a user has set in the browser. Media queries in rem follow it, as in a browser's own settings. */
async function withTextSize(page, percent, act) {
  const session = await page.context().newCDPSession(page);
  const setSize = (standard) => session.send('Page.setFontSizes', { fontSizes: { standard, fixed: 13 } });
  await session.send('Page.enable');
  await setSize(Math.round((16 * percent) / 100));
  try {
    await act();
  } finally {
    await setSize(16);
    await session.detach();
  }
}

async function expectPagesToFit(page) {
  for (const path of PAGES) {
    await open(page, path);
    await expectPageToFit(page, path);
  }
}

async function expectPageToFit(page, path) {
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  assert.equal(scrollWidth, clientWidth, path);
}

/** Nothing of the header is cut off, and its controls can be pressed. */
async function expectHeaderToFit(page) {
  const controls = page.getByRole('banner').getByRole('button');
  await eventually(
    () =>
      controls.evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility())
          .map((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            const shown = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return left >= 0 && right <= innerWidth && one.contains(shown) ? '' : (one.ariaLabel ?? one.innerText);
          })
          .filter(Boolean),
      ),
    [],
  );
}

test(
  'Where a page sets the size of its text itself, it does not scroll sideways either',
  async ({ page }) => {
    await newCustomer(page);
    await putIntoCart(page, 'chai-masala', 1, 1);
    for (const path of PAGES) {
      await open(page, path);
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '32px';
      });
      // Parts that come into view are rendered then.
      for (const part of await page.locator('main section, footer').all()) await part.scrollIntoViewIfNeeded();
      await waitForIdle(page);
      await expectPageToFit(page, path);
    }
  },
  { viewport: { width: 390, height: 844 } },
);

const narrow = { viewport: { width: 320, height: 640 } };

test(
  'At 320 px no page scrolls sideways, and the controls of the header are on the screen',
  async ({ page }) => {
    await newCustomer(page);
    await placeOrder(page, 'goda-masala', 1, 1);
    await putIntoCart(page, 'chai-masala', 1, 1);
    await expectPagesToFit(page);
    await expectHeaderToFit(page);
    await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();
    const steppers = page.getByRole('dialog', { name: 'Your Cart' }).getByRole('group');
    await steppers.first().waitFor();
    for (const box of await Promise.all((await steppers.all()).map((one) => one.boundingBox())))
      assert.ok(box.x >= 0 && box.x + box.width <= 320, 'a stepper is on the screen');
  },
  narrow,
);

for (const [width, percent] of [
  [390, 115],
  [390, 200],
  [1280, 200],
])
  test(
    `With text of ${percent} % at ${width} px no page scrolls sideways, and the controls of the header are on the screen`,
    async ({ page }) => {
      await newCustomer(page);
      await putIntoCart(page, 'chai-masala', 1, 1);
      await withTextSize(page, percent, async () => {
        await expectPagesToFit(page);
        await expectHeaderToFit(page);
      });
    },
    { viewport: { width, height: 844 } },
  );

test(
  'Where a page sets the size of its text itself, the header fits too',
  async ({ page }) => {
    await newCustomer(page, '/about-us');
    for (const percent of [115, 150, 200]) {
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = size;
      }, `${percent}%`);
      for (const width of [390, 768, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        await waitForIdle(page);
        await expectHeaderToFit(page);
      }
    }
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '';
    });
  },
  narrow,
);
