// Labels and colours of order and payment statuses, for customers and admins.
import type { OrderStatus, PaymentStatus } from '~/api/types';
import type { Tone } from '~/ui/badge';

const tones: Record<OrderStatus | PaymentStatus, Tone> = {
  completed: 'green',
  delivered: 'green',
  pending: 'yellow',
  confirmed: 'yellow',
  shipped: 'blue',
  failed: 'red',
  cancelled: 'red',
  'N/A': 'neutral',
};

export function statusTone(status: OrderStatus | PaymentStatus): Tone {
  return tones[status] ?? 'neutral';
}

export function statusLabel(status: string): string {
  return status.charAt(0).toUpperCase() + status.slice(1);
}

/** The last 8 characters, uppercased. */
export function shortId(id: string): string {
  return id.slice(-8).toUpperCase();
}
