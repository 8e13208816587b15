// A summary of one order.
import type { Order } from '~/api/types';
import { formatAmount, formatDate } from '~/lib/format';
import { LineItemImage, selectedPacks } from '~/shared/order/line-items';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { useArrival } from '../arrival';
import { CancelOrder } from '../cancellation/cancel-order';
import { BuyAgainButton, ReplacementNote, StatusBadges } from '../order-components';
import { lineItems, previewItems } from '../order-model';
import { PaymentNotice } from '../payment-notice';
import { ReportProblem } from '../problems/problems';

export function OrderCard({ order, onOpen }: { order: Order; onOpen: () => void }) {
  const { shown, more } = previewItems(lineItems(order.items));
  const arrival = useArrival(order);
  return (
    <article
      aria-label={`Order ${shortId(order._id)}`}
      className="rounded-lg border border-line bg-surface shadow-card transition hover:shadow-lift"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line px-5 py-4 sm:px-7">
        <div>
          <h2 className="font-sans text-lg font-bold tracking-wide">Order #{shortId(order._id)}</h2>
          <p className="text-sm text-ink-soft">Placed on {formatDate(order.createdAt)}</p>
          {arrival && <p className="text-sm font-semibold text-cardamom">{arrival}</p>}
          <ReplacementNote order={order} />
        </div>
        <StatusBadges order={order} />
      </header>
      <div className="px-5 has-[>div]:pt-5 sm:px-7">
        <PaymentNotice order={order} />
      </div>
      <div className="grid items-center gap-x-8 gap-y-5 px-5 py-5 sm:px-7 lg:grid-cols-[1fr_auto]">
        <ul className="grid gap-4 sm:grid-cols-2">
          {shown.map((item) => (
            <li key={item.productId} className="flex min-w-0 items-center gap-4">
              <LineItemImage line={item} className="w-14 shrink-0" />
              <div className="min-w-0">
                <p className="font-display text-[1.125rem] leading-snug">{item.productName}</p>
                <p className="text-[0.9375rem] text-ink-soft tabular-nums">
                  {selectedPacks(item)
                    .map(({ count, grams }) => `${count} × ${grams} g`)
                    .join(' · ')}
                </p>
              </div>
            </li>
          ))}
          {more && <li className="self-center font-semibold text-ink-soft sm:col-span-2">{more}</li>}
        </ul>
        <div className="flex flex-wrap items-center justify-between gap-4 max-lg:border-t max-lg:border-line max-lg:pt-4 lg:flex-col lg:items-end lg:gap-2">
          <p className="text-right">
            <span className="block text-sm text-ink-soft max-lg:text-left">Total</span>
            <span className="text-2xl font-bold tabular-nums">{formatAmount(order.totalAmount)}</span>
            {order.discountAmount > 0 && (
              <span className="block text-sm font-semibold text-cardamom tabular-nums max-lg:text-left">
                You saved {formatAmount(order.discountAmount)}
              </span>
            )}
          </p>
          <div className="flex flex-wrap justify-end gap-2 max-sm:w-full max-sm:[&>*]:grow">
            <BuyAgainButton order={order} size="sm" variant="ghost" />
            <Button variant="secondary" size="sm" onClick={onOpen}>
              View Details
            </Button>
          </div>
        </div>
      </div>
      <div className="flex flex-col gap-3 px-5 has-[>div]:pb-5 sm:px-7">
        <ReportProblem order={order} />
        <CancelOrder order={order} />
      </div>
    </article>
  );
}
