// @vitest-environment happy-dom
// What the simple list sends. Its search, filter and cards are in web/e2e/products.e2e.mjs.
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Cart, Product } from '~/api/types';
import { pendingChanges } from '~/features/cart/pending-changes';
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
