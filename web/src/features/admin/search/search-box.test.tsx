// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ConsoleResults } from '~/api/types';
import { testCustomer } from '~/testing/customer';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import { useSearchKey } from '../console/keyboard';
import { SearchBox } from './search-box';

const SEARCH = 'GET /api/admin/search';
const results: ConsoleResults = {
  orders: [
    {
      _id: 'o1',
      orderNumber: '0A1B2C3D',
      matched: 'tracking',
      number: '19041237157590',
      customerName: 'Asha Kulkarni',
      totalAmount: 310.5,
      orderStatus: 'shipped',
      createdAt: '2026-11-14T06:35:00Z',
      deletedAt: null,
    },
  ],
  customers: [testCustomer],
  products: [{ _id: 'goda-masala', name: 'Goda Masala', isVisible: false }],
};
const nothing: ConsoleResults = { orders: [], customers: [], products: [] };

function Console() {
  useSearchKey();
  return (
    <>
      <SearchBox />
      <input aria-label="Other" />
    </>
  );
}

const open = (response: unknown) => {
  const requests = mockApi({ [SEARCH]: response });
  return { ...renderApp(<Console />, '/admins'), requests };
};
const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Search orders, customers and products' });

it('shows results in groups, as links', async () => {
  const { user, requests } = open(results);
  await user.type(field(), '  asha ');
  const options = await screen.findAllByRole('option');
  expect(options.map((option) => [option.textContent, option.getAttribute('href')])).toEqual([
    [
      '0A1B2C3D, Asha KulkarniParcel 19041237157590 · ₹310.50 · Shipped · 14 Nov 2026',
      '/admins?section=orders&order=o1',
    ],
    ['Asha Kulkarniasha@example.com · +91 98765 43210 · 2 orders', '/admins?section=customers&customer=u1'],
    ['Goda MasalaHidden', '/admins?section=products&product=goda-masala'],
  ]);
  expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-labelledby'))).toHaveLength(3);
  expect(requests.map(({ call }) => call)).toEqual([`${SEARCH}?q=asha`]);
});

it('is driven by arrows, Enter and Escape', async () => {
  const { user } = open(results);
  await user.type(field(), 'asha');
  await screen.findAllByRole('option');
  await user.keyboard('{ArrowUp}');
  const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;
  expect(active()).toMatch('Goda Masala');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toMatch('asha@example.com');
  await user.keyboard('{Escape}');
  expect(field().getAttribute('aria-expanded')).toBe('false');
  expect(field().value).toBe('asha');
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(window.location.search).toBe('?section=orders&order=o1'));
  expect(field().value).toBe('');
});

it('opens the first result where none is chosen', async () => {
  const { user } = open(results);
  await user.type(field(), '0A1B');
  await screen.findAllByRole('option');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(window.location.search).toBe('?section=orders&order=o1'));
});

it('asks nothing below two characters', async () => {
  const { user, requests } = open(results);
  await user.type(field(), 'a');
  await screen.findByText('Type at least 2 characters.');
  expect(requests).toEqual([]);
});

it('says that it searches, that there is nothing, and what failed', async () => {
  let respond = (_: unknown) => {};
  const { user } = open(() => new Promise((resolve) => (respond = resolve)));
  await user.type(field(), 'zz');
  await screen.findByText('Searching...');
  await waitFor(() => {
    respond(errorStatus(500, 'internal', ''));
    screen.getByText('The search failed');
  });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => {
    respond(nothing);
    screen.getByText('Nothing found for “zz”.');
  });
});

it('/ and Ctrl+K focus it, but not while a field is used', async () => {
  const { user } = open(nothing);
  await user.keyboard('/');
  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('');
  const other = screen.getByLabelText('Other');
  await user.type(other, 'a/b');
  expect(document.activeElement).toBe(other);
  await user.keyboard('{Control>}k{/Control}');
  expect(document.activeElement).toBe(other);
  other.blur();
  await user.keyboard('{Control>}k{/Control}');
  expect(document.activeElement).toBe(field());
});
