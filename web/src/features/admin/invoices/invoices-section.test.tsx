// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Invoice } from '~/api/types';
import { testCreditNote, testInvoice, testOrder } from '~/testing/order';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { InvoicesSection } from './invoices-section';

const URL = '/admins?section=invoices&month=2026-11';
const sums = { taxable: 233.82, cgst: 5.84, sgst: 5.84, igst: 0, total: 245.5 };

function open(invoices: Invoice[] | unknown, url = URL, isPhone = false) {
  vi.stubGlobal('matchMedia', () => ({ matches: isPhone, addEventListener() {}, removeEventListener() {} }));
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/invoices': Array.isArray(invoices) ? { invoices, ...sums } : invoices,
  });
  return { ...renderApp(<InvoicesSection />, url), requests };
}

const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

it('lists the documents of the month, with credit notes as negative amounts', async () => {
  const { requests } = open([testInvoice, testCreditNote]);
  const table = await screen.findByRole('table', { name: 'Invoices and credit notes' });
  const [, invoice, note] = within(table).getAllByRole('row') as [HTMLElement, HTMLElement, HTMLElement];
  expect(cells(invoice).slice(-5)).toEqual(['₹295.72', '₹7.39', '₹7.39', '–', '₹310.50']);
  expect(cells(note).slice(-5)).toEqual(['−₹61.90', '−₹1.55', '−₹1.55', '–', '−₹65.00']);
  expect(within(note).getByText('for MIR/26-27/000123')).toBeTruthy();
  const links = within(table)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'));
  expect(links).toContain(`/api/admin/orders/${testOrder._id}/invoice.pdf`);
  expect(links).toContain(`/api/admin/orders/${testOrder._id}/credit-notes/c1.pdf`);
  expect(requests.map(({ call }) => call)).toContain('GET /api/admin/invoices?month=2026-11');
  const totals = screen.getByLabelText('Invoices less credit notes');
  expect(totals.textContent).toContain('Total₹245.50');
});

it('offers the files of the month', async () => {
  open([testInvoice]);
  const files = await screen.findByRole('region', { name: 'For the accountant' });
  expect(
    within(files)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual([
    '/api/admin/invoices/export.csv?month=2026-11',
    '/api/admin/gstr1/5.csv?month=2026-11',
    '/api/admin/gstr1/7.csv?month=2026-11',
    '/api/admin/gstr1/9b.csv?month=2026-11',
    '/api/admin/gstr1/12.csv?month=2026-11',
    '/api/admin/gstr1/13.csv?month=2026-11',
  ]);
});

it('says that a month is empty and leads to the one before', async () => {
  const { user, requests } = open([]);
  await screen.findByText('No invoices in November 2026.');
  await user.click(screen.getByRole('button', { name: 'Show October 2026' }));
  await screen.findByText('No invoices in October 2026.');
  expect(requests.map(({ call }) => call)).toContain('GET /api/admin/invoices?month=2026-10');
});

it('shows why it failed, and tries again', async () => {
  const { user, requests } = open(errorStatus(500, 'internal', 'The database is away'));
  await screen.findByText('The database is away');
  const before = requests.length;
  await user.click(screen.getByRole('button', { name: /again|retry/i }));
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(before));
});

it('is a list of links on a phone', async () => {
  open([testInvoice, testCreditNote], URL, true);
  await screen.findByText('Tax invoice');
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.getByRole('link', { name: /Credit note.*−₹65\.00/ })).toBeTruthy();
});

it('has the month in the URL: Back returns to the month before', async () => {
  const { user } = open(({ call }: MockRequest) =>
    call.endsWith('month=2026-11') ? { invoices: [testInvoice], ...sums } : { invoices: [], ...sums },
  );
  await screen.findByRole('table', { name: 'Invoices and credit notes' });
  await user.click(screen.getByRole('button', { name: 'Previous month' }));
  await screen.findByText('No invoices in October 2026.');
  expect(window.location.search).toBe('?section=invoices&month=2026-10');
  window.history.back();
  await screen.findByRole('table', { name: 'Invoices and credit notes' });
  expect(window.location.search).toBe('?section=invoices&month=2026-11');
});

it('an error without words says what failed; another try shows the month', async () => {
  let response: unknown = errorStatus(500, 'internal', '');
  const { user } = open(() => response, '/admins?section=invoices&month=2026-09');
  await screen.findByText('Failed to fetch invoices');
  response = { invoices: [], ...sums };
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('No invoices in September 2026.');
});
