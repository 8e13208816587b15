// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { testOrder } from '~/testing/order';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { OrdersSection } from './orders-section';

const ORDERS = '/admins?section=orders';

function open(url = ORDERS, responses: Record<string, unknown> = {}) {
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/orders': { orders: [], total: 0, page: 1, pages: 1 },
    'GET /api/admin/concerns': { concerns: [] },
    'GET /api/admin/reserved-stock': { orders: [], more: false },
    ...responses,
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

it('on a phone the filters are folded, also those that are on, and say what they are', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const { user } = open(`${ORDERS}&todo=pack&from=2026-11-01`);
  const summary = await screen.findByText('Filter: To pack, from 2026-11-01');
  expect(summary.closest('details')?.open).toBe(false);
  // Nothing is reserved, nothing needs a person: the orders come next.
  await screen.findByText('No orders found.');
  expect(screen.queryByRole('region', { name: /^(Stock reserved|Needs a person)/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show all' }));
  await screen.findByText('Filter');
});

it('on a phone what needs a person is folded, unless it was followed to here', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
  const issue = (_id: string, group: string) => ({
    _id,
    orderId: testOrder._id,
    kind: group === 'issues' ? 'late payment' : 'refund failed',
    about: '',
    detail: '',
    createdAt: '2026-11-14T06:35:00Z',
    orderDeleted: false,
    group,
  });
  const concerns = [issue('c1', 'issues'), issue('c2', 'failedRefunds'), issue('c3', 'issues')];
  open(ORDERS, { 'GET /api/admin/concerns': { concerns } });
  const folded = await screen.findByRole('heading', { name: /^Needs a person \(3\)/ });
  expect(folded.closest('details')?.open).toBe(false);
  cleanup();
  open(`${ORDERS}&issue=issues`, { 'GET /api/admin/concerns': { concerns } });
  const opened = await screen.findByRole('heading', { name: /^Needs a person \(2\)/ });
  expect(opened.closest('details')?.open).toBe(true);
  screen.getByRole('link', { name: 'Show all 3' });
});
