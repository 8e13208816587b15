// What the panel calls an entry. The kinds are those that the program writes (crates/app/src/settle.rs and workers.rs).
import { statusText } from '~/ui/order-words';

const titles: Record<string, string> = {
  'amount mismatch': 'Amount mismatch',
  'late payment': 'Late payment',
  refund: 'Refund',
  'refund failed': 'Refund failed',
  'mail not sent': 'Email not sent',
};

/** Words for every kind, also for one that this page does not know yet. */
export function concernTitle(kind: string): string {
  return titles[kind] ?? (statusText(kind.replace(/[_-]+/g, ' ').trim()) || 'Order issue');
}
