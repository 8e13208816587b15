// A customer's request to cancel a packed order: accept with a refund, or decline with a reason.
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { Order, ShipmentStatus } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { formatAmount, formatDateTimeIst } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { TextArea } from '~/ui/forms/field';
import { useDecideCancellation } from './cancellation-queries';

export const isAsked = ({ cancellation }: Pick<Order, 'cancellation'>) => cancellation?.decision === null;

export function CancellationBadge({ order }: { order: Order }) {
  if (!isAsked(order)) return null;
  return <Badge tone="red">{order.cancellation?.overdue ? 'Cancellation overdue' : 'Cancellation requested'}</Badge>;
}

type Answer = 'accept' | 'decline';

export function CancellationPanel({ order }: { order: Order }) {
  const [answer, setAnswer] = useState<Answer>();
  const { cancellation } = order;
  if (!cancellation) return null;
  const { decision, requestedAt, dueAt, overdue, decidedAt, decidedBy, message } = cancellation;
  if (decision === null)
    return (
      <section
        aria-label="Cancellation request"
        className={`rounded-md border-l-4 bg-chilli-wash px-4 py-3 ${overdue ? 'border-chilli' : 'border-turmeric'}`}
      >
        <p className="font-semibold">The customer asks to cancel this order.</p>
        <p className="text-sm tabular-nums">
          Asked {formatDateTimeIst(requestedAt)}, {overdue ? 'overdue since' : 'answer by'} {formatDateTimeIst(dueAt)}
        </p>
        <div className="mt-3 flex flex-wrap gap-2.5">
          <Button
            size="sm"
            aria-label={`Accept the cancellation of order ${shortId(order._id)}`}
            onClick={() => setAnswer('accept')}
          >
            Accept
          </Button>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Decline the cancellation of order ${shortId(order._id)}`}
            onClick={() => setAnswer('decline')}
          >
            Decline
          </Button>
        </div>
        {answer && <DecisionDialog order={order} answer={answer} onClose={() => setAnswer(undefined)} />}
      </section>
    );
  const words = { accepted: 'accepted', declined: 'declined', closed: 'closed: the order was cancelled' };
  return (
    <section aria-label="Cancellation request" className="text-sm">
      <p>
        Cancellation requested {formatDateTimeIst(requestedAt)}, {words[decision]}
        {decidedAt && ` ${formatDateTimeIst(decidedAt)}`}
        {decidedBy && <span className="[overflow-wrap:anywhere]"> by {decidedBy}</span>}
      </p>
      {message && <p className="text-ink-soft whitespace-pre-line [overflow-wrap:anywhere]">{message}</p>}
    </section>
  );
}

const beforePickup: ShipmentStatus[] = ['preparing', 'ready', 'returned'];

/**
 * Packs that the courier has do not come back with the answer. With a tracking number that was typed in, or before the first
 * scan, only the owner knows where they are.
 */
function whereThePacksAre({ orderStatus, shipment }: Order): { hasLeft: boolean; isHere: boolean } {
  const isSet = orderStatus !== 'confirmed' && orderStatus !== 'pending';
  const isReturned = shipment?.status === 'returned';
  const hasLeft = shipment === null ? isSet : !beforePickup.includes(shipment.status) || (isSet && !isReturned);
  return { hasLeft, isHere: !hasLeft && (shipment === null || isReturned) };
}

type DialogProps = { order: Order; answer: Answer; onClose: () => void };

function DecisionDialog({ order, answer, onClose }: DialogProps) {
  const isAccept = answer === 'accept';
  const { hasLeft, isHere } = whereThePacksAre(order);
  const request = useDecideCancellation(order._id);
  const form = useForm({
    initial: { restock: isHere, message: '' },
    fields: ['message'],
    request,
    check: ({ message }) => ({ message: isAccept || message.trim() ? '' : 'The customer must read why' }),
  });
  const money =
    order.refundableAmount > 0
      ? `${formatAmount(order.refundableAmount)} goes back to the customer`
      : 'Nothing is left to refund';
  const send = form.submit(({ restock, message }) =>
    request.mutate({ accept: isAccept, restock: isAccept && restock, message: message.trim() }, { onSuccess: onClose }),
  );
  return (
    <Dialog open onClose={onClose} title={isAccept ? 'Cancel the order?' : 'Decline the cancellation?'} width="32rem">
      <form ref={form.ref} onSubmit={send} noValidate className="mt-3 space-y-4">
        <p className="text-ink-soft">
          {isAccept
            ? `${money}. A parcel that the courier does not have yet is cancelled.`
            : 'The order goes on as it is. The customer reads your words, and cannot ask again.'}
        </p>
        {isAccept && (
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 accent-chilli-fill"
              checked={form.values.restock}
              disabled={hasLeft}
              onChange={(event) => form.change({ restock: event.target.checked })}
            />
            <span>
              Put the packs back into stock
              {hasLeft && <span className="block text-sm text-ink-soft">The courier has them.</span>}
              {!hasLeft && !isHere && (
                <span className="block text-sm text-ink-soft">Only if you still have the parcel.</span>
              )}
            </span>
          </label>
        )}
        <TextArea
          {...form.field('message')}
          label="Words for the customer"
          required={!isAccept}
          rows={3}
          maxLength={2000}
        />
        {form.error && <Alert>{errorMessage(form.error, 'Failed to save the answer')}</Alert>}
        <DialogActions>
          <Button type="button" variant="ghost" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" busy={form.isPending}>
            {isAccept ? 'Cancel the order' : 'Decline'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
