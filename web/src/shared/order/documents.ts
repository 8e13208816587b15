// Invoices and credit notes: their names, and the URLs of their files.
import type { Invoice, Order } from '~/api/types';

export const documentTitles: Record<Invoice['kind'], string> = {
  'tax invoice': 'Tax invoice',
  'bill of supply': 'Bill of supply',
  'credit note': 'Credit note',
};

type Viewer = 'user' | 'admin';

export function documentUrl(document: Invoice, viewer: Viewer): string {
  const order = `/api/${viewer}/orders/${encodeURIComponent(document.orderId)}`;
  return document.kind === 'credit note'
    ? `${order}/credit-notes/${encodeURIComponent(document._id)}.pdf`
    : `${order}/invoice.pdf`;
}

/** The invoice, then its credit notes. */
export function documentsOf({ invoice, creditNotes }: Pick<Order, 'invoice' | 'creditNotes'>): Invoice[] {
  return invoice ? [invoice, ...creditNotes] : [];
}
