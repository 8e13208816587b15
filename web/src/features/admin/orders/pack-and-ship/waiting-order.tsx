// One order of the list: for whom it is, what is packed and from which batch, what its parcel costs, and how far it is.
import type { HTMLAttributes, Ref } from 'react';
import type { OrderToPackAndShip } from '~/api/types';
import { formatAmount, formatDate, formatDateTime } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { Skeleton } from '~/ui/feedback/skeleton';
import { adminPath } from '../../console/url-state';
import { RefundBadge } from '../refunds/refund-badge';
import type { ParcelCost } from './use-parcel-costs';

type Props = {
  row: OrderToPackAndShip;
  isChosen: boolean;
  onToggle: () => void;
  hasPartner: boolean;
  cost?: ParcelCost;
  isAsking: boolean;
  /** Why it cannot be sent, unless it stands elsewhere. */
  warning?: string;
  watched?: { ref: Ref<HTMLLIElement> } & HTMLAttributes<HTMLLIElement>;
};

export function WaitingOrder({ row, isChosen, onToggle, hasPartner, cost, isAsking, warning, watched }: Props) {
  const { order, items } = row;
  const number = shortId(order._id);
  const { name, city, pincode } = order.deliveryAddress;
  return (
    <li {...watched} className="rounded-lg border border-line bg-surface shadow-card has-checked:border-line-strong">
      <article aria-label={`Order ${number}`} className="flex gap-2 p-3 sm:gap-3 sm:px-4">
        <label className="-my-1 -ml-2 grid size-11 shrink-0 cursor-pointer place-items-center">
          <input type="checkbox" className="size-5 accent-cardamom" checked={isChosen} onChange={onToggle} />
          <span className="sr-only">Select order {number}</span>
        </label>
        <div className="grid min-w-0 grow gap-x-6 gap-y-2 md:grid-cols-[minmax(0,4fr)_minmax(0,6fr)] xl:grid-cols-[minmax(0,4fr)_minmax(0,7fr)_11rem]">
          <div className="min-w-0">
            <p className="font-semibold [overflow-wrap:anywhere]">
              <Link className="link tabular-nums" to={adminPath('orders', { orderId: order._id })}>
                {number}
              </Link>{' '}
              {name}
            </p>
            <p className="text-sm text-ink-soft [overflow-wrap:anywhere] tabular-nums">
              {city} {pincode} · {formatDateTime(order.createdAt)}
            </p>
            <p className="mt-1.5 flex flex-wrap gap-1.5 empty:hidden">
              <StageBadge row={row} />
              <RefundBadge order={order} />
            </p>
          </div>
          <ul aria-label={`Packs of order ${number}`} className="min-w-0 space-y-1">
            {items.map((item) => (
              <li key={`${item.productId} ${item.grams} ${item.batch}`} className="flex gap-2">
                <b className="min-w-8 shrink-0 tabular-nums">{item.quantity} ×</b>
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  {item.productName} {item.grams} g
                  {item.batch && (
                    <span className="text-sm text-ink-soft">
                      {' '}
                      · Batch {item.batch}
                      {item.bestBefore && `, best before ${formatDate(item.bestBefore)}`}
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
          {hasPartner && (
            <div className="md:col-span-2 xl:col-span-1 xl:text-right">
              <Cost cost={cost} isAsking={isAsking} />
            </div>
          )}
          {warning && (
            <p className="rounded-md bg-chilli-wash px-3 py-2 font-semibold text-chilli [overflow-wrap:anywhere] md:col-span-2 xl:col-span-3">
              {warning}
            </p>
          )}
        </div>
      </article>
    </li>
  );
}

function StageBadge({ row: { stage, error } }: { row: OrderToPackAndShip }) {
  if (stage === 'ship') return <Badge tone="green">Packed</Badge>;
  if (stage === 'print') return <Badge tone="blue">Booked, not printed</Badge>;
  if (stage !== 'book') return null;
  return error ? <Badge tone="red">Not booked</Badge> : <Badge tone="yellow">Being booked</Badge>;
}

function Cost({ cost, isAsking }: { cost?: ParcelCost; isAsking: boolean }) {
  if (cost && cost.cost !== null)
    return (
      <>
        <b className="tabular-nums">{formatAmount(cost.cost)}</b>{' '}
        <span className="text-sm text-ink-soft xl:block">{cost.courier}</span>
      </>
    );
  if (!isAsking) return <span className="text-sm text-ink-soft">Cost not known</span>;
  return (
    <>
      <span className="sr-only">Asking for the cost</span>
      <Skeleton className="inline-block h-5 w-20" />
    </>
  );
}
