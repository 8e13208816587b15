// The invoices and credit notes of a month, and the files for the accountant.
import { queryOptions } from '@tanstack/react-query';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';

export const invoicesQuery = (month: string) =>
  queryOptions({
    queryKey: adminKeys.invoiceMonth(month),
    queryFn: () => get('/api/admin/invoices', { query: { month }, fallback: 'Failed to fetch invoices' }),
    staleTime: 5_000,
    retry: false,
  });

export const EXPORTS = [
  { label: 'Invoices and credit notes', hint: 'Every line of every document', path: 'invoices/export.csv' },
  { label: 'GSTR-1, table 5', hint: 'Invoices above ₹1 lakh to other states', path: 'gstr1/5.csv' },
  { label: 'GSTR-1, table 7', hint: 'Other sales to consumers by state and rate', path: 'gstr1/7.csv' },
  { label: 'GSTR-1, table 9B', hint: 'Credit notes for the invoices of table 5', path: 'gstr1/9b.csv' },
  { label: 'GSTR-1, table 12', hint: 'Summary by HSN code', path: 'gstr1/12.csv' },
  { label: 'GSTR-1, table 13', hint: 'Documents issued', path: 'gstr1/13.csv' },
];

export const exportUrl = (path: string, month: string) => `/api/admin/${path}?month=${month}`;
