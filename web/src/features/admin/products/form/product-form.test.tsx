// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Product } from '~/api/types';
import { testProduct } from '~/testing/product';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { ProductForm } from './product-form';

const URL = '/admins?section=products&product=goda-masala';
const stale = errorStatus(409, 'product_changed', 'Somebody else changed this product meanwhile.');

function open(product: Product | null, responses: Record<string, unknown> = {}) {
  const requests = mockApi({
    ...signedIn,
    'GET /api/products/api/filters': { categories: ['Maharashtrian'], quantities: [] },
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    ...responses,
  });
  const saved = () => requests.filter(({ call }) => /^(PUT|POST)/.test(call));
  return { ...renderApp(<ProductForm product={product} />, URL), saved };
}

const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => screen.getByRole('button', { name: /^(Add|Save) product$/ });

it('names what a new product lacks and moves the focus to the first error', async () => {
  const { user, saved } = open(null);
  await user.click(submit());
  screen.getByText('A product needs a name');
  screen.getByText('At least one category');
  screen.getByText('At least one ingredient');
  expect(document.activeElement).toBe(field(/^Product name/));
  expect(saved()).toEqual([]);
});

it('saves an edit with the version that it started from, then goes back to the list', async () => {
  const { user, saved } = open(testProduct, { 'PUT /api/admin/updateProduct/goda-masala': { product: testProduct } });
  await user.clear(field('Best before'));
  await user.type(field('Best before'), '6 Months');
  await user.clear(field('Stock (grams)'));
  await user.type(field('Stock (grams)'), '+500');
  screen.getByText('Not saved yet');
  await user.click(submit());
  await waitFor(() => expect(window.location.search).toBe('?section=products'));
  expect(saved()[0]?.body).toMatchObject({ best_before: '6 Months', stock_change: 500, version: 7 });
});

it("shows the server's error beside its field", async () => {
  const text = 'Only two decimals';
  const { user } = open(testProduct, {
    'PUT /api/admin/updateProduct/goda-masala': errorStatus(400, 'invalid_input', text, 'mrp'),
  });
  await user.click(submit());
  await waitFor(() => expect(field('MRP 1').getAttribute('aria-invalid')).toBe('true'));
  expect(document.activeElement).toBe(field('MRP 1'));
  const note = document.getElementById(field('MRP 1').getAttribute('aria-describedby') ?? '');
  expect(note?.textContent).toBe(text);
});

it('restores a draft after a reload, and drops it on request', async () => {
  const first = open(testProduct);
  await first.user.type(field('Description'), ' Twice.');
  first.unmount();
  const { user } = open(testProduct);
  expect(field('Description').value).toBe('Roasted slowly. Twice.');
  await user.click(screen.getByRole('button', { name: 'Start over' }));
  expect(field('Description').value).toBe('Roasted slowly.');
});

it('merges an edit into the version of another admin, and names the conflict', async () => {
  const theirs = { ...testProduct, description: 'Theirs.', hsn_code: '12345678', version: 8 };
  const { user, saved } = open(testProduct, {
    'PUT /api/admin/updateProduct/goda-masala': stale,
    'GET /api/admin/products': { products: [theirs], total: 1, page: 1, pages: 1 },
  });
  await user.clear(field('Description'));
  await user.type(field('Description'), 'Mine.');
  await user.click(submit());
  await user.click(await screen.findByRole('button', { name: 'Load the newest, keep my changes' }));
  await screen.findByText(/Somebody else also changed description/);
  expect([field('Description').value, field('HSN code').value]).toEqual(['Mine.', '12345678']);
  await user.click(submit());
  await waitFor(() => expect(saved()).toHaveLength(2));
  expect(saved()[1]?.body).toMatchObject({ description: 'Mine.', hsn_code: '12345678', version: 8 });
});
