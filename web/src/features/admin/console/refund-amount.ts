// Amounts of refunds, computed as crates/domain/src/refund_plan.rs does: packs are refunded at their share of what was paid
// for their product. Without a discount that is their price. The server decides.
import type { Order, OrderItem, Refund } from '~/api/types';
import { formatAmount } from '~/lib/format';
import { type Packs, packsOf, sizeOf } from '~/shared/order/packs';

/** The smallest amount that the gateway refunds. */
const MIN_REFUND_PAISE = 100;

/** How many packs of an item have not been refunded. A failed refund returned nothing. */
export function packsLeft({ refunds }: Pick<Order, 'refunds'>, item: OrderItem): number {
  const refunded = refunds
    .filter(({ state }) => state !== 'failed')
    .flatMap(({ lines }) => lines)
    .filter(({ productId }) => productId === item.productId)
    .reduce((sum, line) => sum + packsOf(line, sizeOf(item)), 0);
  return Math.max(0, item.quantity - refunded);
}

/** Whether all that a failed refund was for can still be refunded. */
export function canRepeat(order: Pick<Order, 'items' | 'refunds' | 'refundableAmount'>, refund: Refund): boolean {
  const fits = (line: Refund['lines'][number]) =>
    order.items
      .filter(({ productId }) => productId === line.productId)
      .every((item) => packsOf(line, sizeOf(item)) <= packsLeft(order, item));
  return refund.lines.every(fits) && toPaise(refund.amount) <= toPaise(order.refundableAmount);
}

/** What a refund leaves of the payment, if that is too little to be refunded; otherwise 0. In rupees. */
export function restAfter(order: Pick<Order, 'refundableAmount'>, amount: number | null): number {
  const rest = toPaise(order.refundableAmount) - toPaise(amount ?? 0);
  return rest > 0 && rest < MIN_REFUND_PAISE ? rest / 100 : 0;
}

/** The amount of the chosen packs, in rupees. */
export function packsAmount(order: Pick<Order, 'items' | 'refunds'>, chosen: Record<string, Packs>): number {
  const paise = Object.entries(chosen).map(([productId, packs]) => {
    const items = order.items.filter((item) => item.productId === productId);
    const refunded = order.refunds
      .filter(({ state }) => state !== 'failed')
      .flatMap(({ lines }) => lines)
      .filter((line) => line.productId === productId);
    const priceOf = (of: Packs) => sumOf(items, (item) => packsOf(of, sizeOf(item)) * toPaise(item.price));
    const full = sumOf(items, (item) => item.quantity * toPaise(item.price));
    const paid = full - sumOf(items, (item) => toPaise(item.discount));
    const price = priceOf(packs) + sumOf(refunded, priceOf);
    // The share of all packs refunded so far, less what was refunded for them: the last pack takes the remainder.
    const share = full === 0 ? 0 : Math.floor((paid * price) / full);
    const isChosen = priceOf(packs) > 0;
    return isChosen ? Math.max(0, share - sumOf(refunded, (line) => toPaise(line.amount))) : 0;
  });
  return sumOf(paise, (one) => one) / 100;
}

const sumOf = <Item>(items: Item[], amount: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + amount(item), 0);

/** '1,250.5' → 1250.5; null where it is no amount in rupees and paise. */
export function parseRupees(text: string): number | null {
  const plain = text.replace(/[\s,₹]/g, '');
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) ? Number(plain) : null;
}

/** Why an amount cannot be refunded; empty if it can. */
export function checkAmount(amount: number | null, left: number): string {
  if (amount === null) return 'Enter an amount such as 120 or 65.50';
  if (toPaise(amount) > toPaise(left)) return `Only ${formatAmount(left)} can still be refunded`;
  return toPaise(amount) < MIN_REFUND_PAISE ? 'A refund must be at least ₹1' : '';
}

const toPaise = (rupees: number): number => Math.round(rupees * 100);
