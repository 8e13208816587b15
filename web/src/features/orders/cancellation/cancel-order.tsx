// Cancelling an order: until when, the question, and after that time why not. The dialog stays mounted when the order
// changes, so that an error is read.
import { useEffect, useEffectEvent, useState } from 'react';
import { hasCode } from '~/api/error';
import type { Order } from '~/api/types';
import { formatDateTime } from '~/lib/format';
import { useNow } from '~/lib/time-left';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { ContactWays } from '../contact-ways';
import { Notice } from '../notice';
import { useCancelOrder, useReloadOrders } from '../order-queries';
import { cancelConsequence, cancelDeadlineText, whyNotCancellable } from './cancellation';

/** `explain`: also says why an order cannot be cancelled. */
export function CancelOrder({ order, explain = false }: { order: Order; explain?: boolean }) {
  const [asking, setAsking] = useState(false);
  const cancel = useCancelOrder();
  const { cancellableUntil } = order;
  useReloadAt(cancellableUntil);

  const close = () => {
    setAsking(false);
    cancel.reset();
  };
  const isTooLate = hasCode(cancel.error, 'cancellation_period_over', 'order_not_cancellable', 'cancellation_declined');
  const isRequest = order.needsCancellationRequest;
  const [action, busyAction] = isRequest ? ['Ask to cancel', 'Asking...'] : ['Cancel order', 'Cancelling...'];
  const whyNot = explain && whyNotCancellable(order);
  return (
    <>
      {cancellableUntil && (
        <Notice
          icon="clock"
          tone="turmeric"
          action={
            <Button
              variant="secondary"
              size="sm"
              aria-label={`${isRequest ? 'Ask to cancel' : 'Cancel'} order ${shortId(order._id)}`}
              onClick={() => setAsking(true)}
            >
              {action}
            </Button>
          }
        >
          <Deadline until={cancellableUntil} />
        </Notice>
      )}
      <Answer order={order} />
      {whyNot && (
        <Notice icon="info">
          <b className="font-semibold">{whyNot}</b> Something to change? <ContactWays />
        </Notice>
      )}
      <ConfirmDialog
        open={asking}
        question={
          isTooLate
            ? 'This order was not cancelled'
            : `${isRequest ? 'Ask to cancel' : 'Cancel'} order #${shortId(order._id)}?`
        }
        hint={isTooLate ? <ContactWays /> : cancelConsequence(order)}
        error={cancel.error?.message}
        dismiss={isTooLate ? 'Close' : 'Keep the order'}
        action={isTooLate ? undefined : cancel.isPending ? busyAction : action}
        busy={cancel.isPending}
        onClose={close}
        onConfirm={() => cancel.mutate(order._id, { onSuccess: close })}
      />
    </>
  );
}

/** The customer has asked to cancel a packed order: that we check it, or why it could not be stopped. */
function Answer({ order }: { order: Order }) {
  const { cancellation } = order;
  if (!cancellation || order.orderStatus === 'cancelled') return null;
  if (cancellation.decision === null)
    return (
      <Notice icon="clock" tone="turmeric">
        <b className="font-semibold">Cancellation requested, we answer within a day.</b> Requested{' '}
        <span className="tabular-nums">{formatDateTime(cancellation.requestedAt)}</span>.
      </Notice>
    );
  if (cancellation.decision === 'declined')
    return (
      <Notice icon="info">
        <b className="font-semibold">We could not cancel this order.</b>{' '}
        <span className="whitespace-pre-line [overflow-wrap:anywhere]">{cancellation.message}</span> <ContactWays />
      </Notice>
    );
  return null;
}

/** A component of its own: only it renders again while the time passes. */
function Deadline({ until }: { until: string }) {
  return <span className="tabular-nums">{cancelDeadlineText(until, useNow())}</span>;
}

/** The server decides when the time is over, so the order is requested again then. */
function useReloadAt(deadline: string | null): void {
  const reload = useEffectEvent(useReloadOrders());
  useEffect(() => {
    if (!deadline) return;
    const leftMs = Date.parse(deadline) - Date.now();
    // A clock that is ahead of the server's: the server would give the same order again.
    if (leftMs < 0) return;
    const timer = setTimeout(reload, leftMs + 1000);
    return () => clearTimeout(timer);
  }, [deadline]);
}
