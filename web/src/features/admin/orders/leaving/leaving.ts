// Which orders should not leave the shop without a question: refunded and unpaid ones.
import type { Order, OrderStatus } from '~/api/types';
import { formatAmount } from '~/lib/format';
import { packsText, productName } from '~/shared/order/packs';

/** What an admin confirms about orders that leave. */
export type LeavingConfirmation = { evenIfRefunded?: boolean; evenIfUnpaid?: boolean };

export const hasLeft = (status: OrderStatus) => status === 'shipped' || status === 'delivered';

const counts = ({ state }: { state: string }) => state !== 'failed';

/** Whether it is shipped or delivered, or was before it was set to another status. */
export const wasSent = ({ orderStatus, events }: Pick<Order, 'orderStatus' | 'events'>): boolean =>
  hasLeft(orderStatus) || events.some(({ status }) => status !== null && hasLeft(status));

/** The packs of a lost parcel cannot go back into stock. */
export const isLost = ({ shipment }: Pick<Order, 'shipment'>): boolean => shipment?.status === 'lost';

/** For the badge of a row; null without a refund. Refunds of a second payment do not count. */
export function refundLabel(order: Pick<Order, 'refundedAmount' | 'totalAmount'>): string | null {
  const { refundedAmount: refunded, totalAmount: total } = order;
  // During an update, an instance of an earlier version may have answered: it does not say.
  if (!refunded) return null;
  // Less than one rupee cannot be refunded.
  if (Math.round((total - refunded) * 100) < 100) return 'Refunded';
  return `Refunded ${formatAmount(refunded)} of ${formatAmount(total)}`;
}

/** Why the order should stay, in words; null if nothing speaks against sending it. */
export function whyStay(order: Order): string | null {
  if (order.paymentStatus !== 'completed') return 'It is not paid.';
  const label = refundLabel(order);
  if (!label) return null;
  const lines = order.refunds.filter(counts).flatMap((refund) => refund.lines);
  const packs = lines.map((line) => `${productName(order, line.productId)} ${packsText(line)}`).join('; ');
  return packs ? `${label}: ${packs}.` : `${label}.`;
}

/** The orders to ask about before they are set to this status. */
export const ordersToAskAbout = (orders: Order[], status: OrderStatus): Order[] =>
  hasLeft(status) ? orders.filter((order) => !hasLeft(order.orderStatus) && whyStay(order) !== null) : [];
