// Says in a list of orders how much of the payment went back.
import type { Order } from '~/api/types';
import { Badge } from '~/ui/badge';
import { refundLabel } from '../leaving/leaving';

export function RefundBadge({ order }: { order: Order }) {
  const label = refundLabel(order);
  return label ? <Badge tone="yellow">{label}</Badge> : null;
}
