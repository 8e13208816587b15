// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { User } from '~/api/types';
import { testOrder } from '~/testing/order';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { nothingToDo } from '~/testing/stock';
import AdminLayout from './admin-layout';

const user = { _id: 'u1', name: 'Asha', email: 'asha@it.example', role: 'admin' } as User;

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} })),
);

it('/ and Ctrl+K go to the search; arrow keys move between rows, Enter opens one', async () => {
  const orders = [1, 2, 3].map((index) => ({ ...testOrder, _id: `0199f1c4-aaaa-7bbb-8ccc-00000000000${index}` }));
  mockApi({
    ...signedIn,
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    'GET /api/admin/to-do': nothingToDo,
    'GET /api/admin/concerns': { concerns: [] },
    'GET /api/admin/reserved-stock': { orders: [], more: false },
    'GET /api/admin/orders': { orders, total: 3, page: 1, pages: 1 },
    'GET /api/admin/search': { orders: [], customers: [], products: [] },
  });
  const { user: person } = renderApp(<AdminLayout user={user} />, '/admins?section=orders');
  const search = screen.getByRole<HTMLInputElement>('combobox', { name: 'Search orders, customers and products' });
  const focused = () => document.activeElement?.getAttribute('aria-label');
  await person.keyboard('/');
  expect(document.activeElement).toBe(search);
  await person.keyboard('a/b');
  expect(search.value, 'a field keeps its slash').toBe('a/b');
  await person.keyboard('{Escape}');
  act(() => search.blur());
  await screen.findByRole('checkbox', { name: 'Select order 00000001' });
  await person.keyboard('{Control>}k{/Control}');
  expect(document.activeElement).toBe(search);
  const list = screen.getByRole('region', { name: 'List of orders' });
  act(() => list.focus());
  await person.keyboard('{ArrowDown}');
  expect(focused()).toBe('Order 00000001');
  await person.keyboard('{ArrowDown}');
  expect(focused()).toBe('Order 00000002');
  await person.keyboard('{Enter}');
  await waitFor(() => screen.getByRole('button', { name: 'Hide details of order 00000002' }));
  await person.keyboard('{ArrowUp}');
  expect(focused()).toBe('Order 00000001');
});
