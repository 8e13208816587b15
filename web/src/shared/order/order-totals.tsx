// The sums below the items of a cart or an order: the full price and the discount if there is one, then the total. All
// amounts are the server's.
import { formatAmount } from '~/lib/format';

export type Discounted = { totalAmount: number; discountAmount: number; discountCode: string | null };

/** Before the discount, without the errors of floating point. */
export const fullAmount = ({ totalAmount, discountAmount }: Pick<Discounted, 'totalAmount' | 'discountAmount'>) =>
  (Math.round(totalAmount * 100) + Math.round(discountAmount * 100)) / 100;

export function OrderTotals({ order, className = '' }: { order: Discounted; className?: string }) {
  return (
    <dl className={`space-y-2 border-t border-line ${className}`}>
      {order.discountAmount > 0 && (
        <>
          <div className="flex items-baseline justify-between gap-4 text-ink-soft">
            <dt>Items</dt>
            <dd className="tabular-nums">{formatAmount(fullAmount(order))}</dd>
          </div>
          <DiscountRow order={order} />
        </>
      )}
      <div className="flex items-baseline justify-between gap-4">
        <dt className="text-lg font-semibold">Total</dt>
        <dd className="text-2xl font-bold tabular-nums">{formatAmount(order.totalAmount)}</dd>
      </div>
    </dl>
  );
}

/** A row of a definition list. */
export function DiscountRow({ order }: { order: Discounted }) {
  return (
    <div className="flex items-baseline justify-between gap-4 font-semibold text-cardamom">
      <dt className="min-w-0 break-words">Discount {order.discountCode}</dt>
      <dd className="whitespace-nowrap tabular-nums">−{formatAmount(order.discountAmount)}</dd>
    </div>
  );
}
