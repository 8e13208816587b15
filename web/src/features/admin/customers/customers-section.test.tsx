// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Customer } from '~/api/types';
import { testCustomer, testCustomerDetails } from '~/testing/customer';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import { CustomersSection } from './customers-section';

const URL_OF_LIST = '/admins?section=customers';
const LIST = 'GET /api/admin/customers';

const page = (customers: Customer[], more = {}) => ({ customers, total: customers.length, page: 1, pages: 1, ...more });
const second: Customer = {
  ...testCustomer,
  _id: 'u2',
  name: '',
  email: 'ravi@example.com',
  phone: null,
  orders: 0,
  spentAmount: 0,
  lastOrderAt: null,
};

function onScreen(isNarrow: boolean) {
  vi.stubGlobal('matchMedia', () => ({ matches: isNarrow, addEventListener() {}, removeEventListener() {} }));
}

beforeEach(() => onScreen(false));

it('lists customers with what they ordered and spent', async () => {
  mockApi({ [LIST]: page([testCustomer, second]) });
  renderApp(<CustomersSection />, URL_OF_LIST);
  const table = within(await screen.findByRole('table', { name: 'List of customers' }));
  const texts = table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent));
  expect(texts).toEqual([
    ['Name', 'Email', 'Phone', 'Orders', 'Spent', 'Last order'],
    ['Asha Kulkarni', 'asha@example.com', '+91 98765 43210', '2', '₹590.50', '14 Nov 2026'],
    ['ravi@example.com', 'ravi@example.com', '–', '0', '₹0.00', 'None'],
  ]);
  screen.getByText('2 customers');
});

it('shows cards on a narrow screen', async () => {
  onScreen(true);
  mockApi({ [LIST]: page([testCustomer]) });
  renderApp(<CustomersSection />, URL_OF_LIST);
  const card = (await screen.findByRole('link', { name: 'Asha Kulkarni' })).closest('article');
  expect(card?.textContent).toBe(
    'Asha Kulkarni₹590.50asha@example.com+91 98765 432102 orders, the last on 14 Nov 2026',
  );
});

it('searches, sorts and pages in the URL', async () => {
  const requests = mockApi({ [LIST]: page([testCustomer], { total: 41, pages: 3 }) });
  const { user } = renderApp(<CustomersSection />, URL_OF_LIST);
  await user.click(await screen.findByRole('button', { name: 'Next' }));
  await waitFor(() => expect(window.location.search).toBe('?section=customers&page=2'));
  await user.selectOptions(screen.getByLabelText('Sort by'), 'Amount spent');
  expect(window.location.search).toBe('?section=customers&sort=spent');
  await user.type(screen.getByLabelText('Name, email or phone'), '98765');
  await waitFor(() => expect(window.location.search).toBe('?section=customers&search=98765&sort=spent'));
  await waitFor(() => expect(requests.at(-1)?.call).toBe(`${LIST}?search=98765&sort=spent&page=1&limit=20`));
});

it('says that nothing matches, and what failed', async () => {
  let response: unknown = page([]);
  mockApi({ [LIST]: () => response });
  const { user, unmount } = renderApp(<CustomersSection />, `${URL_OF_LIST}&search=zz`);
  await screen.findByText('No customer matches.');
  response = page([testCustomer]);
  await user.click(screen.getByRole('button', { name: 'Show all customers' }));
  await screen.findByRole('link', { name: 'Asha Kulkarni' });
  unmount();

  response = errorStatus(500, 'internal', '');
  renderApp(<CustomersSection />, URL_OF_LIST);
  await screen.findByText('Failed to fetch customers');
  response = page([]);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No customers yet.');
});

it('opens a customer with everything about them', async () => {
  mockApi({ [LIST]: page([testCustomer]), 'GET /api/admin/customers/u1': testCustomerDetails });
  const { user } = renderApp(<CustomersSection />, URL_OF_LIST);
  await user.click(await screen.findByRole('link', { name: 'Asha Kulkarni' }));
  await screen.findByRole('heading', { level: 1, name: 'Asha Kulkarni' });
  expect(window.location.search).toBe('?section=customers&customer=u1');
  const contact = within(screen.getByRole('region', { name: 'Contact' }));
  expect(contact.getByRole('link', { name: 'asha@example.com' }).getAttribute('href')).toBe('mailto:asha@example.com');
  contact.getByText('₹590.50');
  const pathOf = (part: string, name: string) =>
    within(screen.getByRole('region', { name: part }))
      .getByRole('link', { name })
      .getAttribute('href');
  expect(pathOf('Orders', 'BBBB0002')).toBe('/admins?section=orders&order=0199f1c4-bbbb-7bbb-8ccc-1234bbbb0002');
  expect(pathOf('Messages', '1 Nov 2026')).toBe('/admins?section=messages&state=all&message=m1');
  expect(pathOf('Problems', 'Order BBBB0002')).toBe('/admins?section=problems&state=open');
  within(screen.getByRole('region', { name: 'Addresses' })).getByText('Home');
  within(screen.getByRole('region', { name: 'Reviews' })).getByText('As at home.');
  await user.click(screen.getByRole('link', { name: 'All customers' }));
  await screen.findByRole('heading', { level: 1, name: 'Customers' });
});

it('shows of a deleted account its orders only', async () => {
  const deleted = { ...testCustomer, name: '', email: '', phone: null, deletedAt: '2026-11-15T06:35:00Z' };
  const nothing = { addresses: [], messages: [], reviews: [], problems: [] };
  mockApi({ 'GET /api/admin/customers/u1': { ...testCustomerDetails, ...nothing, customer: deleted } });
  renderApp(<CustomersSection />, `${URL_OF_LIST}&customer=u1`);
  await screen.findByRole('heading', { level: 1, name: 'Deleted account' });
  screen.getByRole('link', { name: 'BBBB0002' });
  expect(screen.queryByRole('region', { name: 'Addresses' })).toBeNull();
});

it('says that a customer does not exist', async () => {
  mockApi({ 'GET /api/admin/customers/u9': errorStatus(404, 'user_not_found', 'User not found.') });
  renderApp(<CustomersSection />, `${URL_OF_LIST}&customer=u9`);
  await screen.findByText('User not found.');
});
