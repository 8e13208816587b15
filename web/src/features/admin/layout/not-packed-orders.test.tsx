// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Order, User } from '~/api/types';
import { testInvoice, testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { nothingToDo } from '~/testing/stock';
import AdminLayout from './admin-layout';

const user = { _id: 'u1', name: 'Asha', email: 'asha@it.example', role: 'admin' } as User;

beforeEach(() =>
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} })),
);

it('an order that cannot be packed keeps the reason in the list, also from another section, until it is packed', async () => {
  let orders: Order[] = [
    testOrder,
    { ...testOrder, _id: '0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3e', orderStatus: 'pending' },
  ];
  let refused = true;
  mockApi({
    ...signedIn,
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    'GET /api/admin/to-do': nothingToDo,
    'GET /api/admin/concerns': { concerns: [] },
    'GET /api/admin/reserved-stock': { orders: [], more: false },
    'GET /api/admin/stock': { products: [], lowDays: 7 },
    'GET /api/admin/batches': { batches: [] },
    'GET /api/admin/orders': () => ({ orders, total: 2, page: 1, pages: 1 }),
    'PUT /api/admin/orders/packed': () => {
      if (refused) return errorStatus(409, 'conflict', 'Order 0A1B2C3D cannot be packed.');
      const packed = { ...testOrder, packedAt: '2026-11-14T08:00:00Z', invoice: testInvoice };
      orders = [packed, ...orders.slice(1)];
      return { orders: [packed], notPacked: [] };
    },
  });
  const { user: person } = renderApp(<AdminLayout user={user} />, '/admins?section=orders');
  const select = async () => {
    for (const box of await screen.findAllByRole('checkbox', { name: /^Select order/ })) await person.click(box);
  };
  const pack = () =>
    person.click(
      within(screen.getByRole('region', { name: 'Selected orders' })).getByRole('button', {
        name: 'Mark as packed (1)',
      }),
    );
  const reason = () => screen.queryByText('Not packed. Order 0A1B2C3D cannot be packed.')?.closest('[role=alert]');
  await select();
  await pack();
  await waitFor(() => expect(reason()).toBeTruthy());
  const sections = within(screen.getByRole('navigation', { name: 'Sections' }));
  await person.click(sections.getByRole('link', { name: 'Stock' }));
  await screen.findByRole('heading', { level: 1, name: 'Stock' });
  expect(reason()).toBeFalsy();
  await act(async () => window.history.back());
  await waitFor(() => expect(reason()).toBeTruthy());
  await select();
  refused = false;
  await pack();
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain('1 order packed!'));
  await waitFor(() => expect(reason()).toBeFalsy());
  expect(screen.getAllByRole('cell').some(({ textContent }) => /^Confirmed ?Packed$/.test(textContent ?? ''))).toBe(
    true,
  );
});
