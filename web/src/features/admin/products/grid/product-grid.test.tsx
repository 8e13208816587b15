// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Product } from '~/api/types';
import { testProduct } from '~/testing/product';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { ProductGrid } from './product-grid';

const chai: Product = { ...testProduct, _id: 'chai-masala', product_name: 'Chai Masala', version: 3 };

function open(responses: Record<string, unknown>) {
  const requests = mockApi({ ...signedIn, ...responses });
  const saved = () => requests.filter(({ call }) => call.startsWith('PUT'));
  return { ...renderApp(<ProductGrid products={[testProduct, chai]} />, '/admins?section=products&view=grid'), saved };
}

const cell = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

it('saves only the changed columns of the changed rows, with their versions', async () => {
  const { user, saved } = open({
    'PUT /api/admin/updateProduct/goda-masala': { product: testProduct },
    'PUT /api/admin/updateProduct/chai-masala': { product: chai },
  });
  expect(screen.queryByText(/changed$/)).toBeNull();
  await user.clear(cell('Stock (g) of Chai Masala'));
  await user.type(cell('Stock (g) of Chai Masala'), '+500');
  await user.click(cell('Visible: Goda Masala'));
  await user.clear(cell('Categories of Goda Masala'));
  await user.type(cell('Categories of Goda Masala'), 'Whole, Gifts,');
  expect(cell('Categories of Goda Masala').value).toBe('Whole, Gifts,');
  screen.getByText('2 products changed');
  await user.click(save());
  await waitFor(() => expect(saved()).toHaveLength(2));
  const bodies = Object.fromEntries(saved().map(({ call, body }) => [call.split('/').at(-1), body]));
  expect(bodies).toEqual({
    'chai-masala': { stock_change: 500, version: 3 },
    'goda-masala': { isVisible: false, category: ['Whole', 'Gifts'], version: 7 },
  });
  await waitFor(() => expect(screen.queryByText(/changed$/)).toBeNull());
});

it('keeps an edit that another admin was faster than, and bases it on the newest version', async () => {
  const theirs = { ...testProduct, category: ['Theirs'], version: 8 };
  const { user, saved } = open({
    'PUT /api/admin/updateProduct/goda-masala': errorStatus(409, 'product_changed', 'Somebody else changed it.'),
    'GET /api/admin/products/goda-masala': { product: theirs },
  });
  await user.selectOptions(cell('Rank of Goda Masala'), '4');
  await user.click(save());
  await screen.findByText('Changed by another admin meanwhile. Check it and save again.');
  expect([cell('Rank of Goda Masala').value, cell('Categories of Goda Masala').value]).toEqual(['4', 'Theirs']);
  await user.click(save());
  await waitFor(() => expect(saved()).toHaveLength(2));
  expect(saved()[1]?.body).toEqual({ trendingRank: 4, version: 8 });
});

it('does not save a row with an error, and moves to the next row with the arrow keys', async () => {
  const { user } = open({});
  const stock = cell('Stock (g) of Goda Masala');
  await user.clear(stock);
  await user.type(stock, 'many');
  screen.getByText('A whole number, 0 or more, or a change like +500 or -20');
  expect(save().disabled).toBe(true);
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toBe(cell('Stock (g) of Chai Masala'));
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement).toBe(stock);
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(stock.value).toBe(String(testProduct.stock));
});
