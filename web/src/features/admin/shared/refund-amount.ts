// Amounts of refunds, computed as crates/domain/src/refund_plan.rs does: an item's total is its quantity × its price, so
// the share of some packs is their price. The server decides.
import type { Order, OrderItem } from '~/api/types';
import { type Packs, packsOf, sizeOf } from '~/shared/order/packs';
import { formatRupees } from '~/ui/format';

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

/** The amount of the chosen packs, in rupees. */
export function packsAmount({ items }: Pick<Order, 'items'>, chosen: Record<string, Packs>): number {
  const paise = items.map((item) => {
    const packs = chosen[item.productId];
    return packs ? packsOf(packs, sizeOf(item)) * toPaise(item.price) : 0;
  });
  return paise.reduce((sum, one) => sum + one, 0) / 100;
}

/** '1,250.5' → 1250.5; null where it is no amount in rupees and paise. */
export function parseRupees(text: string): number | null {
  const plain = text.replace(/[\s,₹]/g, '');
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) ? Number(plain) : null;
}

/** Why an amount cannot be refunded; empty if it can. */
export function checkAmount(amount: number | null, left: number): string {
  if (amount === null) return 'Enter an amount such as 120 or 65.50';
  if (toPaise(amount) > toPaise(left)) return `Only ${formatRupees(left)} can still be refunded`;
  return toPaise(amount) < MIN_REFUND_PAISE ? 'A refund must be at least ₹1' : '';
}

const toPaise = (rupees: number): number => Math.round(rupees * 100);
