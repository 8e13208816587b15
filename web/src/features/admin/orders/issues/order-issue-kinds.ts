// Labels for the kinds of order issues. The server writes the kinds (crates/app).
import { statusLabel } from '~/shared/order/order-status';

const labels: Record<string, string> = {
  'amount mismatch': 'Amount mismatch',
  'late payment': 'Late payment',
  refund: 'Refund',
  'refund failed': 'Refund failed',
  'mail not sent': 'Email not sent',
  'parcel rejected': 'Parcel rejected',
  'parcel returned': 'Parcel returned',
  'parcel lost': 'Parcel lost',
  'parcel of a cancelled order': 'Parcel of a cancelled order',
  'paid, cancelled, not refunded': 'Paid, cancelled, not refunded',
  'shipped, not paid': 'Shipped, not paid',
  'shipped, refunded': 'Shipped after a refund',
  'made good twice': 'Replaced or refunded twice',
};

/** Has a label for every kind, also for one that is not listed. */
export function kindLabel(kind: string): string {
  return labels[kind] ?? (statusLabel(kind.replace(/[_-]+/g, ' ').trim()) || 'Order issue');
}
