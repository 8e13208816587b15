// @vitest-environment happy-dom
// What the product list says in each state, and its categories. Typing, history and layout are in web/e2e.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Product } from '~/api/types';
import { testProduct } from '~/testing/product';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import SubProductsPage from './sub-products-page';

const product = (id: string, name: string, changes: Partial<Product>): Product => ({
  ...testProduct,
  _id: id,
  product_name: name,
  ...changes,
});
const LIST = 'GET /api/products/api/productInfo';
const page = (...products: Product[]) => ({ products, total: products.length, page: 1, pages: 1 });

function open(list: unknown, url = '/sub-products', categories: Record<string, number> = { Maharashtrian: 1 }) {
  mockApi({
    'GET /api/auth/check-auth': { authenticated: false },
    'GET /api/products/api/filters': {
      categories: Object.keys(categories),
      counts: Object.values(categories),
      quantities: [],
    },
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    [LIST]: list,
  });
  return renderApp(<SubProductsPage />, url);
}

it("says 'Failed to load products' in a toast and inline, with a way to try again", async () => {
  let response: unknown = errorStatus(400, 'invalid_input', 'x');
  const { user } = open(() => response);
  screen.getByText('Loading products...');
  expect(await screen.findByRole('alert')).toHaveProperty(
    'textContent',
    expect.stringContaining('Failed to load products'),
  );
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Failed to load products'));
  response = page(testProduct);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('article');
});

it('a card says what is sold out and what is almost, before anything is pressed', async () => {
  open(
    page(
      product('goda-masala', 'Goda Masala', { stock: 49 }),
      product('chai-masala', 'Chai Masala', { stock: 200, packaging_50gms: 2, packaging_100gms: 9 }),
      product('rasam-powder', 'Rasam Powder', { stock: 500, packaging_50gms: 10, packaging_100gms: 0 }),
    ),
  );
  const card = async (name: string) =>
    within((await screen.findByRole('heading', { name })).closest('article') as HTMLElement);
  (await card('Goda Masala')).getByText('Sold out');
  expect((await card('Goda Masala')).queryByRole('button', { name: /to the cart/ })).toBeNull();
  (await card('Chai Masala')).getByText('Only 3 left');
  expect((await card('Rasam Powder')).queryByText(/left|Sold out/)).toBeNull();
});

it('the categories have their counts, in the order of the server', async () => {
  open(page(testProduct), '/sub-products', { Veg: 12, Beverages: 3, Soups: 1 });
  const sidebar = within(screen.getByRole('complementary', { name: 'Filter by category' }));
  await sidebar.findByRole('checkbox', { name: 'Veg' });
  expect(sidebar.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Veg12',
    'Beverages3',
    'Soups1',
  ]);
});

it('the sheet of a phone has a Clear button, and one that shows what is found', async () => {
  const veg = product('chai-masala', 'Chai Masala', { category: ['Veg'] });
  const { user } = open(page(testProduct, veg), '/sub-products?category=Veg', { Veg: 1, Maharashtrian: 1 });
  await screen.findByRole('article');
  await user.click(screen.getByRole('button', { name: 'Filter (1)' }));
  const sheet = within(screen.getByRole('dialog', { name: 'Categories' }));
  sheet.getByRole('button', { name: 'Show 1 product' });
  await user.click(sheet.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(window.location.search).toBe(''));
  await user.click(await sheet.findByRole('button', { name: 'Show 2 products' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Categories' })).toBeNull());
});
