// Products without an image, with an image that does not load, and with one on another host. Each test creates its own
// products and deletes them. scripts/e2e.sh names images.example.com in the configuration.
import assert from 'node:assert/strict';
import { testImage } from './admin-mocks.mjs';
import { mockApi } from './api-mocks.mjs';
import { newCustomer, order, putIntoCart, saveAddress, send } from './customer-fixtures.mjs';
import { base, eventually, open, phone, signIn, test, withClient } from './fixtures.mjs';

const ALLOWED = 'https://images.example.com/goda, pouch.png?size=large';
const NOT_ALLOWED = 'https://elsewhere.example/goda.png';

let count = 0;
/** A product with these images, while the test runs. */
const withProduct = (images, act) =>
  withClient(async (admin) => {
    await signIn(admin, 'admin@mirasa.example');
    const body = {
      product_name: `Zaffran Masala ${process.pid} ${Date.now()} ${count++}`,
      category: ['Snacks'],
      ingredients: ['Saffron'],
      mrp: [60, 110],
      net_wt: [{ value: 50, unit: 'g' }],
      images,
      stock: 5000,
      packaging_50gms: 50,
      packaging_100gms: 50,
    };
    const { product } = await send(admin, 'POST', '/api/admin/addProduct', body);
    try {
      await act(product, admin);
    } finally {
      await admin.request.delete(`/api/admin/deleteProduct/${product._id}`, { headers: { origin: base } });
    }
  });

const placeholder = (place) => place.locator('[data-image="none"]');
const boxOf = async (place) => {
  const { width, height } = await place.boundingBox();
  return [Math.round(width), Math.round(height)];
};

test('A product without images: a placeholder wherever it is shown, in the box of an image', async ({ page }) => {
  await withProduct([], async (product) => {
    const name = product.product_name;
    await open(page, '/sub-products');
    const cards = page.locator('main article');
    const own = cards.filter({ hasText: name });
    await placeholder(own).waitFor();
    await eventually(() => own.locator('img').count(), 0);
    assert.equal((await placeholder(own).textContent()).trim(), 'Z', 'the initial');
    await eventually(() => placeholder(own).getAttribute('aria-hidden'), 'true', 'the name is beside it');
    assert.deepEqual(await boxOf(placeholder(own)), await boxOf(cards.first().locator('img')));

    await open(page, `/products`);
    await placeholder(page.locator('main li').filter({ hasText: name })).waitFor();
    await open(page, `/search?q=${encodeURIComponent(name)}`);
    await placeholder(page.locator('main')).waitFor();

    await open(page, `/product/${product._id}`);
    await page.getByRole('img', { name: `${name}: no image yet` }).waitFor();
    await eventually(() => page.getByRole('button', { name: /^Zoom/ }).count(), 0);
    await eventually(() => page.locator('link[rel=preload][as=image]').count(), 0);
    const shared = await page.locator('meta[property="og:image"]').getAttribute('content');
    assert.match(shared, /og\.jpg/, "the shop's own image is shared");
  });
});

test('A product without images: cart, checkout, wishlist and orders', async ({ page }) => {
  await withProduct([], async (product) => {
    await newCustomer(page);
    await saveAddress(page);
    await putIntoCart(page, product._id, 1, 1);
    await send(page, 'POST', `/api/user/wishlist/${product._id}`);
    await open(page, '/wishlist');
    await placeholder(page.locator('main')).waitFor();
    await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();
    await placeholder(page.getByRole('dialog', { name: 'Your Cart' })).waitFor();
    await open(page, '/checkout');
    await placeholder(page.locator('main')).waitFor();

    const [item] = order().items;
    const orders = [order({ items: [{ ...item, productId: product._id, image: '' }] })];
    await mockApi(page, '/api/user/orders', (request) => request.fulfill({ json: { orders } }));
    await mockApi(page, '/api/user/orders/*', (request) => request.fulfill({ json: { order: orders[0] } }));
    await open(page, '/orders');
    await placeholder(page.getByRole('article')).waitFor();
    await page.getByRole('button', { name: 'View Details' }).click();
    await placeholder(page.getByRole('dialog')).waitFor();
  });
});

test(
  'An image that does not load becomes the placeholder, on a rendered page too',
  async ({ page }) => {
    await withProduct(['not there.webp'], async (product) => {
      await open(page, `/product/${product._id}`);
      await page.getByRole('img', { name: `${product.product_name}: no image yet` }).waitFor();
      await open(page, '/sub-products');
      const card = (name) => page.locator('main article').filter({ hasText: name });
      await card(product.product_name).scrollIntoViewIfNeeded();
      await placeholder(card(product.product_name)).waitFor();
      // Those that have not come into view yet have not failed. Other tests may have products without images at this time.
      for (const name of ['Goda Masala', 'Rasam Powder', 'Tomato Soup Mix'])
        await eventually(() => placeholder(card(name)).count(), 0, name);
    });
  },
  { expected: [/404/], viewport: phone },
);

test('An image of a configured host is shown; nothing is requested from any other host', async ({ page }) => {
  const requested = [];
  await page.route(/example\/|example\.com\//, (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: 'image/png', body: testImage('goda.png').buffer });
  });
  await withProduct([ALLOWED, NOT_ALLOWED, 'http://images.example.com/plain.png'], async (product, admin) => {
    const isLoaded = (image) => image.evaluate((each) => each.complete && each.naturalWidth > 0);
    await open(page, `/product/${product._id}`);
    const main = page.getByRole('button', { name: /^Zoom/ }).locator('img');
    await eventually(() => isLoaded(main), true);
    await eventually(() => page.getByRole('list', { name: 'Pictures' }).count(), 0, 'one image, no thumbnails');
    await open(page, '/sub-products');
    const card = page.locator('main article').filter({ hasText: product.product_name });
    await card.scrollIntoViewIfNeeded();
    await eventually(() => isLoaded(card.locator('img')), true);
    await newCustomer(page);
    await putIntoCart(page, product._id, 1, 0);
    await open(page, `/search?q=${encodeURIComponent(product.product_name)}`);
    await page.getByRole('banner').getByRole('button', { name: /^Cart/ }).click();
    await eventually(() => isLoaded(page.getByRole('dialog', { name: 'Your Cart' }).locator('img')), true);
    assert.deepEqual([...new Set(requested.map((url) => new URL(url).host))], ['images.example.com']);

    const change = { images: [NOT_ALLOWED, ALLOWED] };
    await send(admin, 'PUT', `/api/admin/updateProduct/${product._id}`, change);
    await open(page, '/sub-products');
    await placeholder(card).waitFor();
  });
});
