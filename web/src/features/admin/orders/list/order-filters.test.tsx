// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { OrdersSection } from './orders-section';

const ORDERS = '/admins?section=orders';

function open(url = ORDERS) {
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/orders': { orders: [], total: 0, page: 1, pages: 1 },
    'GET /api/admin/concerns': { concerns: [] },
    'GET /api/admin/reserved-stock': { orders: [], more: false },
  });
  const lists = () => requests.filter(({ call }) => call.startsWith('GET /api/admin/orders?')).map(({ call }) => call);
  return { ...renderApp(<OrdersSection />, url), lists };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const reset = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Reset' });

it('filters by status, in the URL and in the request', async () => {
  const { user, lists } = open();
  expect(reset().disabled).toBe(true);
  await user.selectOptions(field('Status'), 'Shipped');
  await waitFor(() => expect(lists().at(-1)).toBe('GET /api/admin/orders?status=shipped&page=1&limit=10'));
  expect(window.location.search).toBe('?section=orders&status=shipped');
});

it('requests what was typed when the typing pauses', async () => {
  const { lists } = open();
  const typed = ['0', '0a', '0a1', '0a1b2c'];
  for (const value of typed) fireEvent.change(field('Order ID'), { target: { value } });
  expect(field('Order ID').value).toBe('0a1b2c');
  await waitFor(() => expect(lists().at(-1)).toContain('orderId=0a1b2c'));
  // Not one for each key. (Exactly one would depend on how busy the machine is.)
  expect(lists().length).toBeLessThan(1 + typed.length);
});

it('reads the filter from the URL, and Reset shows all orders', async () => {
  const { user, lists } = open(`${ORDERS}&userId=u1&from=2026-11-01&status=nonsense`);
  expect([field('User ID').value, field('From date').value, field('Status').value]).toEqual(['u1', '2026-11-01', '']);
  await screen.findByText('No orders found.');
  expect(lists()).toEqual(['GET /api/admin/orders?userId=u1&from=2026-11-01&page=1&limit=10']);
  await user.click(reset());
  await waitFor(() => expect(lists().at(-1)).toBe('GET /api/admin/orders?page=1&limit=10'));
  await waitFor(() => expect(field('User ID').value).toBe(''));
});

it('says that a range of dates is empty', async () => {
  open(`${ORDERS}&from=2026-11-09&to=2026-11-01`);
  await screen.findByText('Later than the To date');
  expect(field('From date').getAttribute('aria-invalid')).toBe('true');
});
