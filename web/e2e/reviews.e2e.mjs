// Reviews: a customer who received a product writes one, others read it and vote, the shop replies and hides. Who may write
// one is tested in src/app/pages/account/review-page.test.tsx.
import assert from 'node:assert/strict';
import { buy, setStatus, testAfterSale } from './after-sale-fixtures.mjs';
import { mockApi } from './api-mocks.mjs';
import { expectNoViolations } from './axe.mjs';
import { send, testOnPhoneAndDesktop } from './customer-fixtures.mjs';
import { eventually, expectNoSidewaysScroll, failure, open, phone, signIn, test, toast } from './fixtures.mjs';

const section = (page) => page.getByRole('region', { name: 'Reviews' });
const article = (page, text) => section(page).getByRole('article').filter({ hasText: text });

async function publish(shop, product, stars, text) {
  const body = { productId: product._id, stars, text };
  return (await send(shop, 'POST', '/api/user/reviews', body)).review;
}

/** Scrolls to the reviews: they are hydrated when they are seen. */
async function showReviews(page, product) {
  await open(page, `/product/${product._id}`);
  await section(page).scrollIntoViewIfNeeded();
}

testAfterSale(
  'From a delivered order to a published review with a photo, changed later',
  async ({ shop, admin, product }) => {
    const order = await buy(shop, product);
    await open(shop, `/orders?order=${order._id}`);
    await eventually(() => shop.getByRole('link', { name: /^Review/ }).count(), 0, 'not delivered');
    await setStatus(admin, order, 'delivered');
    await open(shop, `/orders?order=${order._id}`);
    await shop.getByRole('link', { name: `Review ${product.product_name}` }).click();
    await shop.getByRole('button', { name: 'Publish review' }).click();
    await shop.getByText('Choose from one to five stars').waitFor();
    await shop.getByRole('radio', { name: '4 stars' }).check({ force: true });
    await shop.getByText('Very good').waitFor();
    await shop.keyboard.press('ArrowRight');
    await shop.getByText('Excellent').waitFor();
    await shop.getByLabel('Your words').fill('Smells of home.\n<b>Truly.</b>');
    await shop
      .getByLabel('Photos', { exact: true })
      .locator('input')
      .last()
      .setInputFiles({
        name: 'dish.png',
        mimeType: 'image/png',
        buffer: await shop.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } }),
      });
    await expectNoViolations(shop, 'the form');
    await shop.getByRole('button', { name: 'Publish review' }).click();
    const thanks = shop.getByRole('heading', { name: 'Thank you!' });
    await eventually(() => thanks.evaluate((heading) => heading === document.activeElement), true);
    for (const one of [thanks, shop.getByRole('link', { name: 'See all reviews' })]) {
      const { y, height } = await one.boundingBox();
      assert.ok(y > 120 && y + height < phone.height, `in view, below the header: ${y}`);
    }
    await shop.getByRole('link', { name: 'See all reviews' }).click();

    const own = article(shop, 'Smells of home.');
    await own.getByText('<b>Truly.</b>').waitFor();
    await own.getByRole('img', { name: '5 of 5 stars' }).waitFor();
    await own.getByRole('button', { name: 'Enlarge photo 1 of 1' }).click();
    const photo = shop.getByRole('dialog', { name: 'Photo' }).locator('img');
    await eventually(() => photo.evaluate((image) => image.complete && image.naturalWidth), 300);
    await shop.keyboard.press('Escape');
    await eventually(() => own.getByRole('button', { name: /^Helpful/ }).count(), 0, 'not for oneself');

    await section(shop).getByRole('link', { name: 'Change your review' }).click();
    await shop.getByRole('button', { name: 'Remove stored photo 1' }).click();
    await shop.getByLabel('Your words').fill('Still good.');
    await shop.getByRole('button', { name: 'Save changes' }).click();
    await shop.getByRole('link', { name: 'See all reviews' }).click();
    await article(shop, 'Still good.').getByText(', edited').waitFor();
    await eventually(() => article(shop, 'Still good.').getByRole('list', { name: 'Photos' }).count(), 0);
  },
  { viewport: phone },
);

testAfterSale('Visitors read reviews; a vote needs a sign-in and counts once', async ({ shop, admin, product }) => {
  await setStatus(admin, await buy(shop, product), 'delivered');
  await publish(shop, product, 3, 'Could be hotter');
  await shop.context().clearCookies();
  const response = await shop.request.get(`/product/${product._id}`);
  assert.match(await response.text(), /Could be hotter/, 'rendered by the server');
  await showReviews(shop, product);
  const vote = () => article(shop, 'Could be hotter').getByRole('button', { name: /^Helpful/ });
  await vote().click();
  await shop.getByText('Sign in with Google').waitFor();
  await signIn(shop, `reader.${Date.now()}@example.com`);
  await showReviews(shop, product);
  await vote().click();
  await eventually(() => vote().innerText(), /Helpful\s*\(1\)/);
  await eventually(() => vote().getAttribute('aria-pressed'), 'true');
  await showReviews(shop, product);
  await eventually(() => vote().getAttribute('aria-pressed'), 'true');
  await vote().click();
  await eventually(() => vote().getAttribute('aria-pressed'), 'false');
  assert.doesNotMatch(await vote().innerText(), /\(/);
});

testAfterSale('The shop replies to a review, hides abuse for a reason, and shows it again', async (people) => {
  const { shop, admin, product } = people;
  await setStatus(admin, await buy(shop, product), 'delivered');
  await publish(shop, product, 1, 'Rude words');
  await open(admin, '/admins?section=reviews&state=critical');
  const entry = admin.getByRole('article', { name: new RegExp(`^Review of ${product.product_name}`) });
  await entry.getByRole('button', { name: 'Reply' }).click();
  await admin.getByLabel('Your reply').fill('We are sorry.');
  await admin.getByRole('button', { name: 'Publish reply' }).click();
  await toast(admin, 'Reply published').waitFor();
  await showReviews(shop, product);
  await article(shop, 'Rude words').getByText('We are sorry.').waitFor();

  await entry.getByRole('button', { name: 'Hide abuse' }).click();
  await admin.getByRole('button', { name: 'Hide review' }).click();
  await admin.getByText('Say why it is hidden').waitFor();
  await expectNoViolations(admin, 'the dialog');
  await admin.getByLabel('Reason').fill('Insults our packers');
  await admin.getByRole('button', { name: 'Hide review' }).click();
  await toast(admin, 'Review hidden').waitFor();
  await open(admin, '/admins?section=reviews&state=hidden');
  await entry.getByText(/Hidden by admin@mirasa\.example .*Insults our packers/).waitFor();
  await entry.getByRole('button', { name: 'History' }).click();
  await entry.getByText('Review hidden: Insults our packers').waitFor();
  await expectNoViolations(admin, 'reviews');
  await showReviews(shop, product);
  await section(shop).getByText('We have hidden it: Insults our packers').waitFor();
  await eventually(() => article(shop, 'Rude words').count(), 0);

  await entry.getByRole('button', { name: 'Show again' }).click();
  await toast(admin, 'The review is visible again').waitFor();
  await showReviews(shop, product);
  await article(shop, 'Rude words').waitFor();
});

const link = '/review?token=secret-token&product=goda-masala&stars=4';
const requested = (more = {}) => ({
  orderNumber: '12345678',
  stopped: false,
  products: [
    { productId: 'goda-masala', productName: 'Goda Masala', image: '', stars: null },
    { productId: 'chai-masala', productName: 'Chai Masala', image: '', stars: null },
  ],
  ...more,
});

testOnPhoneAndDesktop(
  'The link of an email opens with the stars chosen; publishing needs a sign-in',
  async ({ page }) => {
    await mockApi(page, '/api/review-requests?*', (request) => request.fulfill({ json: requested() }));
    await open(page, link);
    await page.getByRole('radio', { name: '4 stars', checked: true }).waitFor();
    await page.getByLabel('Your words').fill('I typed this before signing in');
    await expectNoViolations(page, 'from the email');
    await page.getByRole('button', { name: 'Sign in to publish' }).click();
    await page.getByText('Sign in with Google').waitFor();

    await signIn(page, `asked.${Date.now()}@example.com`);
    const own = { reviews: [], canReview: true, helpful: [] };
    await mockApi(page, '/api/user/reviews?*', (request) => request.fulfill({ json: own }));
    const sent = [];
    await mockApi(page, '/api/user/reviews', (request) => {
      sent.push(request.body);
      return request.fulfill({ status: 201, json: { review: {} } });
    });
    await open(page, link);
    await eventually(() => page.getByLabel('Your words').inputValue(), 'I typed this before signing in');
    await page.getByRole('button', { name: 'Publish review' }).click();
    await page.getByRole('link', { name: 'Review Chai Masala' }).waitFor();
    assert.equal(sent.length, 1);
    assert.match(sent[0], /name="productId"\s+goda-masala[\s\S]*name="stars"\s+4/);
  },
);

test(
  'A link that is not valid says so; opening the link to stop changes nothing, a press does',
  async ({ page }) => {
    let stopped = false;
    const posts = [];
    await mockApi(page, '/api/review-requests?*', (request) =>
      request.url.includes('wrong')
        ? request.fulfill(failure(404, 'review_link_invalid', 'This link is not valid, or no longer.'))
        : request.fulfill({ json: requested({ stopped }) }),
    );
    await mockApi(page, '/api/review-requests/stop', (request) => {
      posts.push(request.json);
      stopped = true;
      return request.fulfill({ json: { success: true } });
    });
    await open(page, '/review?token=wrong');
    await page.getByText('This link is not valid, or no longer.').waitFor();
    await open(page, '/review?token=secret-token&stop=1');
    await page.getByRole('heading', { level: 1, name: 'Emails about reviews' }).waitFor();
    assert.deepEqual(posts, []);
    await page.getByRole('button', { name: 'Do not ask me for reviews' }).click();
    await page.getByText('We do not ask you for reviews any more.').waitFor();
    assert.deepEqual(posts, [{ token: 'secret-token' }]);
    await expectNoViolations(page, 'stopped');
  },
  { expected: [/404/] },
);

test('Product with reviews fits every screen: distribution, order, rating at the name', async ({ page }) => {
  const reviews = Array.from({ length: 5 }, (_, at) => ({
    _id: `review-${at}`,
    stars: 5 - (at % 3),
    text: 'a'.repeat(at * 60),
    images: [],
    author: 'Asha K.',
    createdAt: '2026-11-14T06:35:00Z',
    editedAt: null,
    helpful: at,
    reply: at === 1 ? { text: 'Thank you!', at: '2026-11-15T06:35:00Z' } : null,
  }));
  const body = {
    reviews,
    rating: { value: 4.2, count: 12 },
    distribution: [0, 1, 2, 3, 6],
    total: 12,
    page: 1,
    pages: 3,
  };
  await mockApi(page, '/api/products/goda-masala/reviews*', (request) => request.fulfill({ json: body }));
  // By a link, so that the browser reads the reviews.
  await open(page, '/sub-products');
  await page.getByRole('link', { name: 'Goda Masala', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Goda Masala' }).waitFor();
  await section(page).scrollIntoViewIfNeeded();
  await eventually(() => section(page).getByRole('article').count(), 5);
  await section(page).getByText('12 reviews').waitFor();
  await expectNoSidewaysScroll(page);
  await expectNoViolations(page, 'reviews');
});
