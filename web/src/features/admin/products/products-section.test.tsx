// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Product } from '~/api/types';
import { testProduct } from '~/testing/product';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { ProductsSection } from './products-section';

const chai: Product = { ...testProduct, _id: 'chai-masala', product_name: 'Chai Masala' };
const failure = errorStatus(500, 'internal', 'Something went wrong');

function open(products: Product[], search = '') {
  // `reject` is the answer of every change.
  const server: { products: Product[]; reject?: unknown } = { products };
  const change = (id: string, apply: (product: Product, body: unknown) => object) => (request: MockRequest) => {
    if (server.reject) return server.reject;
    const found = server.products.find(({ _id }) => _id === id) as Product;
    const changed = { ...found, ...apply(found, request.body) };
    server.products = server.products.map((each) => (each._id === id ? changed : each));
    return changed;
  };
  const requests = mockApi({
    ...signedIn,
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    'GET /api/admin/products': () => ({
      products: server.products,
      total: server.products.length,
      page: 1,
      pages: 1,
    }),
    ...Object.fromEntries(
      products.flatMap(({ _id }) => [
        [
          `PUT /api/admin/products/${_id}/toggle-visibility`,
          change(_id, ({ isVisible }) => ({ isVisible: !isVisible })),
        ],
        [`PUT /api/admin/products/${_id}/trending-rank`, change(_id, (_, body) => body as object)],
        [
          `DELETE /api/admin/deleteProduct/${_id}`,
          () => {
            if (server.reject) return server.reject;
            server.products = server.products.filter((each) => each._id !== _id);
            return { success: true };
          },
        ],
      ]),
    ),
  });
  return { ...renderApp(<ProductsSection />, `/admins?section=products${search}`), server, requests };
}

const toasts = () => screen.getByTestId('toasts').textContent;
const card = async (name: string) => within(await screen.findByRole('article', { name }));

it('a card has name, first category or N/A, price, weight, ingredients, stock and its controls', async () => {
  const goda = { ...testProduct, stock: 42_000, packaging_50gms: 320, packaging_100gms: 260 };
  open([goda, { ...chai, category: [], net_wt: [], stock: 120, packaging_50gms: 9, packaging_100gms: 9 }]);
  const first = await card('Goda Masala');
  const words = screen.getByRole('article', { name: 'Goda Masala' }).textContent;
  for (const word of ['Maharashtrian', '₹65', '50 g', '2 ingredients', 'Visible', 'Trending Rank', 'Edit', 'Delete'])
    expect(words).toContain(word);
  expect(words).toContain('Stock42,000 g50 g pouches320100 g pouches260');
  const ranks = first.getByLabelText<HTMLSelectElement>(/^Trending Rank/).options;
  expect([...ranks].map(({ text }) => text)).toEqual(['None', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  const second = await card('Chai Masala');
  expect(second.getAllByText('N/A')).toHaveLength(2);
  second.getByText('Only 2 left');
});

it("says 'No products found. Add your first product!'", async () => {
  open([]);
  await screen.findByText('No products found. Add your first product!');
});

it("says 'Failed to fetch products'", async () => {
  mockApi({ ...signedIn, 'GET /api/admin/products': failure });
  renderApp(<ProductsSection />, '/admins?section=products');
  await waitFor(() => expect(toasts()).toContain('Failed to fetch products'));
});

it('visible and trending rank: toasts, hidden disables the rank, failures are rolled back', async () => {
  const { user, server, requests } = open([testProduct]);
  await card('Goda Masala');
  const rank = () => screen.getByLabelText<HTMLSelectElement>('Trending Rank: Goda Masala');
  const visible = () => screen.getByLabelText<HTMLInputElement>('Visible: Goda Masala');
  const isReady = () => waitFor(() => expect([rank().disabled, visible().disabled]).toEqual([false, false]));
  await user.selectOptions(rank(), '4');
  await waitFor(() => expect(toasts()).toContain('Trending rank set to 4'));
  expect(requests.filter(({ call }) => call.startsWith('PUT')).at(-1)?.body).toEqual({ trendingRank: 4 });
  await isReady();
  await user.selectOptions(rank(), 'None');
  await waitFor(() => expect(toasts()).toContain('Trending rank cleared'));
  await isReady();
  await user.click(visible());
  await waitFor(() => expect(toasts()).toContain('Product is now hidden!'));
  expect([rank().disabled, visible().checked]).toEqual([true, false]);
  await waitFor(() => expect(visible().disabled).toBe(false));
  await user.click(visible());
  await waitFor(() => expect(toasts()).toContain('Product is now visible!'));
  expect(visible().checked).toBe(true);

  server.reject = failure;
  await isReady();
  await user.click(visible());
  await waitFor(() => expect(toasts()).toContain('Failed to toggle visibility'));
  expect(visible().checked).toBe(true);
  await isReady();
  await user.selectOptions(rank(), '2');
  await waitFor(() => expect(toasts()).toContain('Failed to update trending rank'));
  expect(rank().value).toBe('');
});

it("asks 'Are you sure you want to delete this product?'; a failure leaves it there", async () => {
  const { user, server } = open([testProduct, chai]);
  server.reject = failure;
  const remove = async () => {
    await user.click(await screen.findByRole('button', { name: 'Delete Goda Masala' }));
    const dialog = screen.getByRole('dialog', { name: 'Are you sure you want to delete this product?' });
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  };
  await remove();
  await waitFor(() => expect(toasts()).toContain('Failed to delete product'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  screen.getByRole('article', { name: 'Goda Masala' });
  server.reject = undefined;
  await remove();
  await waitFor(() => expect(toasts()).toContain('Product deleted successfully!'));
  expect(screen.queryByRole('article', { name: 'Goda Masala' })).toBeNull();
  screen.getByRole('article', { name: 'Chai Masala' });
});

it('leads from a product that does not exist to all products', async () => {
  mockApi({
    ...signedIn,
    'GET /api/admin/products/gone': errorStatus(404, 'product_not_found', 'Product not found.'),
  });
  renderApp(<ProductsSection />, '/admins?section=products&product=gone');
  const link = await screen.findByRole('link', { name: 'All products' });
  expect(link.getAttribute('href')).toBe('/admins?section=products');
  screen.getByText('Product not found.');
});

it('shows a product that was just added, and no second click of a double click deletes another one', async () => {
  const { user } = open([testProduct, chai], '&added=chai-masala');
  const added = await screen.findByRole('article', { name: 'Chai Masala' });
  within(added).getByText('Just added');
  expect(document.activeElement).toBe(added);
  expect(screen.getAllByText('Just added')).toHaveLength(1);
  const remove = screen.getByRole('button', { name: 'Delete Goda Masala' });
  fireEvent.click(remove, { detail: 2 });
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(remove);
  screen.getByRole('dialog', { name: 'Are you sure you want to delete this product?' });
});
