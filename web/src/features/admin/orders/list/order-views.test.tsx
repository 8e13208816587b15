// @vitest-environment happy-dom
// Views with counts, the size of a page, and selecting all orders that match.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Order } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { OrdersSection } from './orders-section';

const orderId = (index: number) => `0199f1c4-aaaa-7bbb-8ccc-${String(index).padStart(12, '0')}`;
const toDo = { toPack: 4, toShip: 0, overdue: 2, problems: 1 };

function open(count: number, url = '/admins?section=orders', responses: Record<string, unknown> = {}) {
  const all: Order[] = Array.from({ length: count }, (_, index) => ({ ...testOrder, _id: orderId(index + 1) }));
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/concerns': { concerns: [] },
    'GET /api/admin/reserved-stock': { orders: [], more: false },
    'GET /api/admin/to-do': toDo,
    'GET /api/admin/orders': ({ call }: { call: string }) => {
      const query = new URL(call.slice(4), 'http://shop').searchParams;
      const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))];
      const orders = all.slice((page - 1) * limit, page * limit);
      return { orders, total: count, page, pages: Math.max(1, Math.ceil(count / limit)) };
    },
    ...responses,
  });
  const lists = () => requests.filter(({ call }) => call.startsWith('GET /api/admin/orders?')).map(({ call }) => call);
  return { ...renderApp(<OrdersSection />, url), requests, lists };
}

it('has views as links that set the filter, with counts', async () => {
  const { user, lists } = open(1);
  await screen.findByText('(4)');
  const views = within(screen.getByRole('navigation', { name: 'Views' }));
  expect(views.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['All', '/admins?section=orders'],
    ['To pack(4)', '/admins?section=orders&todo=pack'],
    ['To ship(0)', '/admins?section=orders&todo=ship'],
    ['Overdue(2)', '/admins?section=orders&todo=overdue'],
    ['Problems(1)', '/admins?section=orders&todo=problem'],
  ]);
  const current = () => views.queryAllByRole('link', { current: 'page' }).map((link) => link.textContent);
  expect(current()).toEqual(['All']);
  await user.click(views.getByRole('link', { name: 'Problems (1)' }));
  await waitFor(() => expect(lists().at(-1)).toBe('GET /api/admin/orders?todo=problem&page=1&limit=10'));
  expect(current()).toEqual(['Problems(1)']);
  await user.selectOptions(screen.getByLabelText('Status'), 'shipped');
  expect(current()).toEqual([]);
});

it('shows the recipient and the items below the values of a row', async () => {
  open(1);
  const row = await screen.findByRole('row', { name: 'Order 00000001' });
  const cells = within(row).getAllByRole('cell');
  expect(cells[0]?.textContent).toBe('U1Asha Kulkarni, Pune');
  expect(cells[1]?.textContent).toBe('₹310.502 × Goda Masala 50 g, 1 × Goda Masala 100 g, 1 × Chai Masala 50 g');
  expect(within(row).getByRole('link', { name: '00000001' }).getAttribute('href')).toBe(
    `/admins?section=orders&order=${orderId(1)}`,
  );
});

it('has a size of the page that stays while the filter changes', async () => {
  const { user, lists } = open(60);
  await screen.findByText('Page 1 of 6');
  await user.selectOptions(screen.getByLabelText('Orders per page'), '25');
  await screen.findByText('Page 1 of 3');
  expect(window.location.search).toBe('?section=orders&limit=25');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText('Page 2 of 3');
  await user.selectOptions(screen.getByLabelText('Status'), 'shipped');
  await waitFor(() => expect(lists().at(-1)).toBe('GET /api/admin/orders?status=shipped&page=1&limit=25'));
});

it('selects all orders that match, after those of the page', async () => {
  const { user, lists } = open(23, '/admins?section=orders&todo=pack');
  await user.click(await screen.findByLabelText('Select all orders of this page'));
  screen.getByText('10 orders of this page selected.');
  await user.click(screen.getByRole('button', { name: 'Select all 23 that match' }));
  await screen.findByText('All 23 orders are selected.');
  within(screen.getByRole('region', { name: 'Selected orders' })).getByText('23 orders selected');
  expect(lists().at(-1)).toBe('GET /api/admin/orders?todo=pack&page=1&limit=200');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await screen.findByText('Page 2 of 3');
  screen.getByText('23 orders selected');
});

it('selects no more than can be packed at once', async () => {
  const { user } = open(450);
  await user.click(await screen.findByLabelText('Select all orders of this page'));
  await user.click(screen.getByRole('button', { name: 'Select the newest 200 of 450' }));
  await screen.findByText('The newest 200 of 450 orders are selected.');
  screen.getByText('200 orders selected');
});

it('says that the orders that match could not be fetched', async () => {
  const { user } = open(23, undefined, {
    'GET /api/admin/orders?page=1&limit=200': errorStatus(500, 'internal', ''),
  });
  await user.click(await screen.findByLabelText('Select all orders of this page'));
  await user.click(screen.getByRole('button', { name: 'Select all 23 that match' }));
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Failed to fetch orders'));
  screen.getByText('10 orders selected');
});
