// The orders on a phone or a tablet: what to pack, for whom, and the next step as one large button at the foot of each card, in reach
// of the thumb.
import { useId, useState } from 'react';
import type { Order, OrderStatus } from '~/api/types';
import { formatAmount, formatDateTimeIst } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { Button, IconButton } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';
import { ParcelDecision } from '../../console/parcel-decision';
import { orderPath } from '../../console/url-state';
import { CancellationBadge, CancellationPanel, isAsked } from '../cancellation/cancellation-panel';
import { OrderDetails } from '../details/order-details';
import { type LeavingConfirmation, ordersToAskAbout } from '../leaving/leaving';
import { LeavingQuestion } from '../leaving/leaving-question';
import { useUpdateStatus } from '../order-queries';
import { NotPacked } from '../packing/not-packed';
import { isPacked } from '../packing/packing';
import { RefundBadge } from '../refunds/refund-badge';
import { type OrderListProps, RestoreOrder, SelectOrder, UpdateStatus } from './order-row';

/** What usually follows a status. Any other is in the dropdown. */
const NEXT_STEP: Partial<Record<OrderStatus, { status: OrderStatus; label: string }>> = {
  pending: { status: 'confirmed', label: 'Mark as confirmed' },
  confirmed: { status: 'shipped', label: 'Packed: mark as shipped' },
  shipped: { status: 'delivered', label: 'Mark as delivered' },
};

export function OrderCards({ orders, ...list }: OrderListProps) {
  return (
    <ul aria-label="List of orders" className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
      {orders.map((order) => (
        <li key={order._id} className={list.shown.includes(order._id) ? 'md:col-span-2' : ''}>
          <OrderCard order={order} {...list} />
        </li>
      ))}
    </ul>
  );
}

type CardProps = Omit<OrderListProps, 'orders'> & { order: Order };

function OrderCard({ order, shown, selected, onToggle, onSelect, onDelete }: CardProps) {
  const detailsId = useId();
  const name = shortId(order._id);
  const open = shown.includes(order._id);
  return (
    <article aria-label={`Order ${name}`} className="rounded-lg border border-line bg-surface p-4 shadow-card">
      <div className="flex items-start gap-3">
        {!order.deletedAt && <SelectOrder order={order} selected={selected} onSelect={onSelect} />}
        <div className="min-w-0 grow">
          <h2 className="font-sans text-lg font-bold tabular-nums">
            <Link className="link" to={orderPath(order._id)}>
              {name}
            </Link>
          </h2>
          <p className="text-sm text-ink-soft tabular-nums">{formatDateTimeIst(order.createdAt)}</p>
          {order.deletedAt && (
            <p className="text-sm text-ink-soft tabular-nums">Deleted {formatDateTimeIst(order.deletedAt)}</p>
          )}
        </div>
        <p className="font-bold tabular-nums">{formatAmount(order.totalAmount)}</p>
      </div>
      <p className="mt-2 flex flex-wrap gap-2">
        <Badge tone={statusTone(order.orderStatus)}>{statusLabel(order.orderStatus)}</Badge>
        {isPacked(order) && <Badge tone="green">Packed</Badge>}
        <RefundBadge order={order} />
        <CancellationBadge order={order} />
        <Badge tone={statusTone(order.paymentStatus)}>Payment {order.paymentStatus}</Badge>
      </p>
      <NotPacked order={order} className="mt-3" />
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {order.items.map((item) => (
          <li key={`${item.productId} ${item.qty_50g}`} className="flex items-baseline gap-3 py-2">
            <b className="min-w-8 text-lg tabular-nums">{item.quantity} ×</b>
            <span className="grow">{item.productName}</span>
            <span className="font-semibold whitespace-nowrap">{item.qty_50g > 0 ? 50 : 100} g</span>
          </li>
        ))}
      </ul>
      {order.deliveryAddress && (
        <p className="mt-2 text-sm">
          <b>{order.deliveryAddress.name}</b>, {order.deliveryAddress.city} {order.deliveryAddress.pincode}
        </p>
      )}
      <div id={detailsId} hidden={!open}>
        {open && (
          <div className="mt-3 space-y-3 border-t border-line pt-3">
            {!order.deletedAt && <UpdateStatus order={order} />}
            <OrderDetails order={order} />
          </div>
        )}
      </div>
      <div className="mt-2 flex items-center justify-between">
        <Button
          variant="ghost"
          size="sm"
          className="!px-3"
          aria-expanded={open}
          aria-controls={detailsId}
          aria-label={`${open ? 'Hide' : 'Show'} details of order ${name}`}
          onClick={() => onToggle(order._id)}
        >
          {open ? 'Hide' : 'Show'}
          <Icon name="down" className={`size-4 transition ${open ? 'rotate-180' : ''}`} />
        </Button>
        {order.deletedAt ? (
          <RestoreOrder order={order} />
        ) : (
          <IconButton label={`Delete order ${name}`} className="text-chilli" onClick={() => onDelete(order)}>
            <Icon name="trash" className="size-5" />
          </IconButton>
        )}
      </div>
      {!order.deletedAt && <NextStep order={order} open={open} />}
    </article>
  );
}

/** `open`: the details are shown, which have the customer's request, too. */
function NextStep({ order, open }: { order: Order; open: boolean }) {
  const update = useUpdateStatus();
  const [asking, setAsking] = useState(false);
  const next = NEXT_STEP[order.orderStatus];
  // An order that is not paid is not packed.
  if (order.paymentStatus !== 'completed') return null;
  if (isAsked(order)) return open ? null : <CancellationPanel order={order} />;
  const parcel = order.shipment?.status;
  if (order.orderStatus === 'shipped' && (parcel === 'lost' || parcel === 'returned'))
    return (
      <ParcelDecision
        orderId={order._id}
        orderStatus={order.orderStatus}
        orderVersion={order.version}
        status={parcel}
        size="lg"
      />
    );
  if (!next) return null;
  const save = (confirmed?: LeavingConfirmation) => update.mutate({ order, orderStatus: next.status, ...confirmed });
  const toAsk = ordersToAskAbout([order], next.status);
  return (
    <>
      <Button
        size="lg"
        className="mt-2 w-full"
        busy={update.isPending}
        onClick={() => (toAsk.length > 0 ? setAsking(true) : save())}
      >
        {next.label}
      </Button>
      <LeavingQuestion
        open={asking}
        orders={toAsk}
        action={next.label}
        onConfirm={save}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
