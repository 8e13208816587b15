// Components of an order that its card, its details and the payment page share.
import type { Order } from '~/api/types';
import { Link, useLocation } from '~/lib/router/router';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { refundBadges } from '~/shared/order/refund-state';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { orderPermissions } from './order-model';
import { useBuyAgain, usePayAgain } from './order-queries';

export function StatusBadges({ order }: { order: Order }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Badge tone={statusTone(order.orderStatus)}>
        <span className="sr-only">Order: </span>
        {statusLabel(order.orderStatus)}
      </Badge>
      {order.replacesOrderId ? (
        <Badge>Replacement</Badge>
      ) : (
        <Badge tone={statusTone(order.paymentStatus)}>Payment {order.paymentStatus}</Badge>
      )}
      {refundBadges(order.refunds).map(({ label, tone }) => (
        <Badge key={label} tone={tone}>
          {label}
        </Badge>
      ))}
    </div>
  );
}

export function PayAgainButton({ order, size = 'md' }: { order: Order; size?: 'sm' | 'md' }) {
  const { payAgain, busy } = usePayAgain();
  if (!orderPermissions.payAgain(order)) return null;
  return (
    <Button size={size} busy={busy} onClick={() => payAgain(order._id)}>
      Pay again
    </Button>
  );
}

export function BuyAgainButton({ order, size = 'md', variant = 'secondary', autoFocus }: BuyAgainProps) {
  const buyAgain = useBuyAgain();
  return (
    <Button
      size={size}
      variant={variant}
      busy={buyAgain.isPending}
      data-autofocus={autoFocus || undefined}
      onClick={() => buyAgain.mutate(order)}
    >
      Buy it again
      <span className="sr-only">: order {shortId(order._id)}</span>
    </Button>
  );
}

type BuyAgainProps = {
  order: Order;
  size?: 'sm' | 'md';
  variant?: 'primary' | 'secondary' | 'ghost';
  autoFocus?: boolean;
};

/** The order whose items this one replaces. */
export function ReplacementNote({ order }: { order: Order }) {
  const { pathname } = useLocation();
  if (!order.replacesOrderId) return null;
  return (
    <p className="text-[0.9375rem]">
      Replacement for order{' '}
      <Link to={`${pathname}?order=${encodeURIComponent(order.replacesOrderId)}`} className="link font-semibold">
        #{shortId(order.replacesOrderId)}
      </Link>
      , free of charge
    </p>
  );
}
