// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Product } from '~/api/types';
import { testProduct } from '~/testing/product';
import { errorStatus, mockApi, renderApp, Status, signedIn } from '~/testing/render';
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
const toasts = () => screen.getByTestId('toasts').textContent;
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
    'GET /api/admin/products/goda-masala': { product: theirs },
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

it('adds a product: every missing field is named, lists keep one row, Enter adds one, the preview follows', async () => {
  const { user, saved } = open(null, { 'POST /api/admin/addProduct': new Status(201, { product: testProduct }) });
  await user.click(submit());
  expect(screen.getAllByText('A price of 0 or more')).toHaveLength(2);
  expect(document.activeElement).toBe(field(/^Product name/));
  await user.keyboard('Test Masala');
  await user.type(field('Category 1'), 'Veg');
  await user.click(screen.getByRole('button', { name: 'Remove MRP 2' }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Remove MRP 1' }).disabled).toBe(true);
  await user.type(field('MRP 1'), '49.5');
  await user.type(field('Ingredients 1'), 'Cumin{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(field('Ingredients 2')));
  await user.keyboard('Clove');
  await user.clear(field('Stock (grams)'));
  await user.type(field('Stock (grams)'), '500');
  const preview = within(screen.getByRole('region', { name: 'Preview of the card' }));
  preview.getByText('Test Masala');
  preview.getByText('₹49.50');
  await user.click(submit());
  await waitFor(() => expect(toasts()).toContain('Product added successfully!'));
  expect(saved()[0]?.body).toMatchObject({
    product_name: 'Test Masala',
    category: ['Veg'],
    mrp: [49.5],
    ingredients: ['Cumin', 'Clove'],
    stock: 500,
  });
});

it('stock takes the number that was counted, or a change; packs sold meanwhile stay sold', async () => {
  const product = { ...testProduct, stock: 400 };
  const sold = { ...product, stock: 380, version: 8 };
  const responses = [stale, { product: sold }];
  const { user, saved } = open(product, {
    'PUT /api/admin/updateProduct/goda-masala': () => responses.shift(),
    'GET /api/admin/products/goda-masala': { product: sold },
  });
  const stock = field('Stock (grams)');
  const fill = async (text: string) => {
    await user.clear(stock);
    await user.type(stock, text);
  };
  expect(stock.value).toBe('400');
  screen.getByText('400 there now');
  await fill('lots');
  await user.click(submit());
  await screen.findByText('A whole number, 0 or more, or a change like +500 or -20');
  await fill('-401');
  screen.getByText('Only 400 are there');
  await fill('+50');
  screen.getByText('400 there now, then 450');
  await fill('450');
  screen.getByText('400 there now, then 450');
  await user.click(submit());
  await user.click(await screen.findByRole('button', { name: 'Load the newest, keep my changes' }));
  await screen.findByText('380 there now, then 430');
  await user.click(submit());
  await waitFor(() => expect(saved()).toHaveLength(2));
  expect(saved()[0]?.body).toMatchObject({ stock: 450, stock_seen: 400 });
  expect(saved()[1]?.body).toMatchObject({ stock_change: 50, version: 8 });
});

it('a price of 0 is saved, its hint says what it means, and the card shows the other size', async () => {
  const { user, saved } = open(testProduct, { 'PUT /api/admin/updateProduct/goda-masala': { product: testProduct } });
  expect(screen.getAllByText(/0: not sold in this size/).length).toBeGreaterThan(0);
  await user.clear(field('MRP 1'));
  await user.type(field('MRP 1'), '0');
  within(screen.getByRole('region', { name: 'Preview of the card' })).getByText('₹120');
  await user.click(submit());
  await waitFor(() => expect(toasts()).toContain('Product updated successfully!'));
  expect(saved()[0]?.body).toMatchObject({ mrp: [0, 120] });
});

it('an edit of an older version says so and sends nothing else', async () => {
  const { user, saved } = open(testProduct, { 'PUT /api/admin/updateProduct/goda-masala': stale });
  await user.clear(field('Best before'));
  await user.type(field('Best before'), '7 Months');
  await user.click(submit());
  const alerts = await screen.findAllByText('Somebody else changed this product meanwhile.');
  expect(alerts.some((alert) => alert.closest('[role=alert]'))).toBe(true);
  expect(saved()).toHaveLength(1);
  expect(field('Best before').value).toBe('7 Months');
});

it('a new product is shown in the list, on the page where it is', async () => {
  const { user } = open(null, {
    'POST /api/admin/addProduct': new Status(201, { product: { ...testProduct, _id: 'new-masala' } }),
    'GET /api/admin/products': { products: [], total: 49, page: 1, pages: 3 },
  });
  await user.type(field(/^Product name/), 'New Masala');
  await user.type(field('Category 1'), 'Snacks');
  await user.type(field('Ingredients 1'), 'Cumin');
  await user.type(field('MRP 1'), '65');
  await user.type(field('MRP 2'), '120');
  await user.click(submit());
  await waitFor(() => expect(window.location.search).toBe('?section=products&page=3&added=new-masala'));
});

it('ingredients with commas become one row each: pasted, typed, and with Enter', async () => {
  const { user } = open(null);
  const rows = () => screen.getAllByLabelText<HTMLInputElement>(/^Ingredients \d+$/).map(({ value }) => value);
  await user.click(field('Ingredients 1'));
  await user.paste('Coriander, spices (cumin, fennel), salt');
  expect(rows()).toEqual(['Coriander', 'spices (cumin, fennel)', 'salt']);
  await user.click(screen.getByRole('button', { name: 'Add ingredient' }));
  await user.keyboard('Chilli, clove{Enter}');
  expect(rows()).toEqual(['Coriander', 'spices (cumin, fennel)', 'salt', 'Chilli', 'clove', '']);
  expect(document.activeElement).toBe(field('Ingredients 6'));
  await user.keyboard('mace; nutmeg');
  await user.tab();
  expect(rows().slice(5)).toEqual(['mace', 'nutmeg']);
  // Other lists are not parted at commas.
  await user.type(field('Recipe 1'), 'Heat, then stir');
  await user.tab();
  expect(field('Recipe 1').value).toBe('Heat, then stir');
});

const pictures: Product = {
  ...testProduct,
  images: ['a.webp', 'b.webp', 'c.webp'],
  image_details: ['a.webp', 'b.webp', 'c.webp'].map((file, at) => ({
    file,
    alt: file === 'b.webp' ? 'The back' : '',
    width: at === 2 ? 600 : 1600,
    height: at === 2 ? 450 : 1200,
    colour: '',
    version: '',
  })),
};

it('pictures are put in order with the arrows, each with its text', async () => {
  const { user, saved } = open(pictures, { 'PUT /api/admin/updateProduct/goda-masala': { product: pictures } });
  expect(field('What picture 2 shows').value).toBe('The back');
  await user.type(field('What picture 1 shows'), 'A red pouch');
  await user.click(screen.getByRole('button', { name: 'Move a.webp right' }));
  expect(field('What picture 2 shows').value).toBe('A red pouch');
  // The button moves with its picture.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move a.webp right' }));
  await user.click(screen.getByRole('button', { name: 'Move a.webp right' }));
  // At the end only the other direction is left.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move a.webp left' }));
  await user.click(submit());
  await waitFor(() => expect(saved()).toHaveLength(1));
  expect(saved()[0]?.body).toMatchObject({
    images: ['b.webp', 'c.webp', 'a.webp'],
    image_alts: ['The back', '', 'A red pouch'],
  });
});

it('a picture is dragged to the place of another one', () => {
  open(pictures);
  const rows = () => [...document.querySelectorAll<HTMLElement>('[data-picture]')];
  const files = () => rows().map(({ dataset }) => dataset.picture);
  const below = vi.spyOn(document, 'elementFromPoint');
  const over = (file: string) => {
    below.mockReturnValue(rows().find(({ dataset }) => dataset.picture === file) ?? null);
    fireEvent.pointerMove(window);
  };
  fireEvent.pointerDown(rows()[2]?.querySelector('[title="Drag to another place"]') as Element);
  over('a.webp');
  expect(files()).toEqual(['c.webp', 'a.webp', 'b.webp']);
  over('a.webp');
  expect(files()).toEqual(['a.webp', 'c.webp', 'b.webp']);
  fireEvent.pointerUp(window);
  over('b.webp');
  expect(files()).toEqual(['a.webp', 'c.webp', 'b.webp']);
});
