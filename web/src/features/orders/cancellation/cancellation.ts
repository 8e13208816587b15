// Whether a customer can cancel an order, in words. The rule is `Order::cancellable_until_ms` in
// crates/domain/src/order.rs; the server decides.
import type { Order } from '~/api/types';
import { formatAmount, formatDate } from '~/lib/format';
import { formatDeadline, formatTimeLeft } from '~/lib/time-left';
import { restKeptText } from '~/shared/order/refund-state';

/** 'You can cancel until 11:59 PM IST today, 3 h 12 min left'. */
export function cancelDeadlineText(until: string, nowMs: number): string {
  const left = formatTimeLeft(Date.parse(until) - nowMs);
  return `You can cancel until ${formatDeadline(until, nowMs)}${left && `, ${left} left`}`;
}

type Cancellable = Pick<Order, 'cancellableUntil' | 'orderStatus' | 'paymentStatus' | 'createdAt' | 'cancellation'>;

/** Why an order that is under way cannot be cancelled; empty where it can be, or where there is nothing to cancel. */
export function whyNotCancellable(order: Cancellable): string {
  if (order.cancellableUntil || order.paymentStatus === 'failed') return '';
  // The answer to the request says it.
  if (order.cancellation && order.cancellation.decision !== 'closed') return '';
  switch (order.orderStatus) {
    case 'pending':
    case 'confirmed':
      return `This order could be cancelled until 11:59 PM IST on ${formatDate(order.createdAt)}, the day it was placed.`;
    case 'shipped':
      return 'Your parcel is on its way, so this order can no longer be cancelled.';
    case 'N/A':
      return 'This order can no longer be cancelled here.';
    default:
      return '';
  }
}

type Refundable = Pick<
  Order,
  'paymentStatus' | 'refundableAmount' | 'restKept' | 'totalAmount' | 'needsCancellationRequest'
>;

/** What happens when the customer cancels: at once, or once the shop has answered. */
export function cancelConsequence(order: Refundable): string {
  if (!order.needsCancellationRequest) return refundConsequence(order);
  const check = 'Your order is packed, so we check whether it can still be stopped. We answer within a day.';
  return order.refundableAmount > 0 ? `${check} If so: ${refundConsequence(order)}` : check;
}

function refundConsequence(order: Refundable): string {
  if (order.paymentStatus !== 'completed') {
    return 'Nothing was charged. A payment that is still on its way comes back to you by itself.';
  }
  if (order.totalAmount === 0) return 'Nothing was charged for this order.';
  if (order.restKept > 0) return `${restKeptText(order.restKept)}.`;
  if (order.refundableAmount === 0) return 'Everything you paid for this order has gone back to you already.';
  return `${formatAmount(order.refundableAmount)} goes back to the account you paid from, within 3-5 days.`;
}
