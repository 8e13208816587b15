// @vitest-environment happy-dom
// What the simple list sends and says. Its search and filter are in web/e2e/products.e2e.mjs.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Cart, Product } from '~/api/types';
import { Overlays } from '~/app/layout/overlays';
import { CartButton } from '~/features/cart/cart-button';
import { pendingChanges } from '~/features/cart/pending-changes';
import { closeLogin } from '~/shared/auth/overlay-store';
import { authStatusQuery } from '~/shared/auth/session';
import { testProduct } from '~/testing/product';
import { mockApi, newClient, renderApp, signedIn } from '~/testing/render';
import SimpleProductsPage from './simple-products-page';

const cart: Cart = {
  items: [],
  version: 1,
  discountCode: null,
  discountAmount: 0,
  discountNotice: null,
  totalPacks: 0,
  totalAmount: 0,
};

beforeEach(() => pendingChanges.set([]));

async function addOne(changes: Partial<Product>) {
  const product = { ...testProduct, ...changes };
  const requests = mockApi({
    ...signedIn,
    'GET /api/products/api/filters': { categories: ['Maharashtrian'], quantities: [] },
    'GET /api/products/api/productInfo': { products: [product], total: 1, page: 1, pages: 1 },
    'POST /api/cart/add-to-cart': { cart },
  });
  const client = newClient();
  client.setQueryData(authStatusQuery.queryKey, { authenticated: true });
  const { user } = renderApp(<SimpleProductsPage />, '/products', client);
  const card = (await screen.findByRole('heading', { name: product.product_name })).closest('li') as HTMLElement;
  await user.click(within(card).getByRole('button', { name: 'Add to Cart' }));
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Item added to cart successfully'));
  return requests.find(({ call }) => call === 'POST /api/cart/add-to-cart')?.body;
}

it('adds with the product and a quantity of 1', async () => {
  expect(await addOne({})).toEqual({ productId: testProduct._id, quantity: 1 });
});

it('adds a pack of 100 g where there is none of 50 g, which a quantity would be', async () => {
  expect(await addOne({ packaging_50gms: 0 })).toEqual({ productId: testProduct._id, qty_50g: 0, qty_100g: 1 });
});

const list = {
  'GET /api/products/api/filters': { categories: ['Maharashtrian'], quantities: [] },
  'GET /api/products/api/productInfo': { products: [testProduct], total: 1, page: 1, pages: 1 },
};
const page = (
  <>
    <CartButton />
    <SimpleProductsPage />
    <Overlays />
  </>
);
const toasts = () => screen.getByTestId('toasts').textContent;

it('signed out, Add to Cart asks to log in and opens the sign-in', async () => {
  mockApi({ ...list, 'GET /api/auth/check-auth': { authenticated: false } });
  const client = newClient();
  client.setQueryData(authStatusQuery.queryKey, { authenticated: false });
  const { user } = renderApp(page, '/products', client);
  await user.click(await screen.findByRole('button', { name: 'Add to Cart' }));
  expect(toasts()).toBe('Please login to add items to cart');
  await screen.findByRole('dialog', { name: 'Welcome Back!' });
  closeLogin();
});

it('signed in, Add to Cart adds one pack to those in the header; Buy Now is still to come', async () => {
  mockApi({
    ...list,
    ...signedIn,
    'GET /api/cart/cart': { cart: { ...cart, totalPacks: 2 } },
    'POST /api/cart/add-to-cart': { cart: { ...cart, version: 2, totalPacks: 3 } },
  });
  const client = newClient();
  client.setQueryData(authStatusQuery.queryKey, { authenticated: true });
  const { user } = renderApp(page, '/products', client);
  await screen.findByRole('button', { name: 'Cart, 2 packs' });
  await user.click(await screen.findByRole('button', { name: 'Add to Cart' }));
  await waitFor(() => expect(toasts()).toBe('Item added to cart successfully'));
  await screen.findByRole('button', { name: 'Cart, 3 packs' });
  await user.click(screen.getByRole('button', { name: 'Buy Now' }));
  expect(toasts()).toContain('Buy now functionality coming soon!');
});

it('a product without a recipe has no empty line for it', async () => {
  const plain = { ...testProduct, _id: 'plain', product_name: 'Plain Masala', recipe: [] };
  mockApi({
    ...list,
    'GET /api/products/api/productInfo': { products: [plain, testProduct], total: 2, page: 1, pages: 1 },
  });
  renderApp(page, '/products');
  const card = (name: string) => within(screen.getByRole('heading', { name }).closest('li') as HTMLElement);
  await screen.findByRole('heading', { name: 'Plain Masala' });
  card('Plain Masala').getByText('Ingredients:');
  expect(card('Plain Masala').queryByText('Recipe:')).toBeNull();
  card('Goda Masala').getByText('Recipe:');
});
