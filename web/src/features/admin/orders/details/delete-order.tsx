// Deletes an order, after the specification's question and what becomes of its money and its items.
import { useState } from 'react';
import type { Order } from '~/api/types';
import { formatAmount } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { TextArea } from '~/ui/forms/field';
import { useDeleteOrder } from '../order-queries';
import { RefundDialog } from '../refunds/refund-dialog';

type Props = {
  order: Order | null;
  /** As the list shows them now. */
  orders: Order[];
  onClose: () => void;
};

export function DeleteOrder({ order: chosen, orders, onClose }: Props) {
  const newest = (one: Order | null) => orders.find(({ _id }) => _id === one?._id) ?? one;
  const order = newest(chosen);
  const remove = useDeleteOrder();
  const [chosenToRefund, setRefunding] = useState<Order | null>(null);
  const refunding = newest(chosenToRefund);
  // Less than one rupee cannot be refunded.
  const canRefund = order !== null && order.refundableAmount >= 1;
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isMissing = canRefund && reason.trim() === '';
  const close = () => {
    setReason('');
    setChecked(false);
    onClose();
  };
  const onDelete = (deleted: Order) => {
    setChecked(true);
    if (isMissing) return;
    const keepReason = canRefund ? reason.trim() : undefined;
    remove.mutate({ order: deleted, keepReason }, { onSettled: close });
  };
  return (
    <>
      <Dialog open={order !== null} onClose={close} title="Are you sure you want to delete this order?" width="30rem">
        {order && (
          <>
            <p className="mt-3 text-ink-soft">
              Order {shortId(order._id)} leaves every list, the shopper's too. You find it under "Deleted orders" and
              can restore it.
            </p>
            <p className="mt-3 font-semibold">{deleteConsequence(order)}</p>
            {canRefund && (
              <div className="mt-4">
                <TextArea
                  label="Why the money is kept"
                  required
                  rows={2}
                  maxLength={300}
                  value={reason}
                  error={isChecked && isMissing ? 'Say why, or refund the order first' : undefined}
                  hint="Needed to delete without a refund. The customer does not see it."
                  onChange={(event) => setReason(event.target.value)}
                />
              </div>
            )}
            <DialogActions>
              <Button variant="ghost" onClick={close} data-autofocus>
                Cancel
              </Button>
              {canRefund && (
                <Button
                  variant="secondary"
                  onClick={() => {
                    setRefunding(order);
                    close();
                  }}
                >
                  Refund first…
                </Button>
              )}
              <Button busy={remove.isPending} onClick={() => onDelete(order)}>
                Delete
              </Button>
            </DialogActions>
          </>
        )}
      </Dialog>
      {refunding && <RefundDialog order={refunding} open onClose={() => setRefunding(null)} />}
    </>
  );
}

export function deleteConsequence(order: Pick<Order, 'paymentStatus' | 'refundableAmount'>): string {
  if (order.paymentStatus === 'pending') {
    return 'It is not paid: its stock is released now, and money that still arrives is returned automatically.';
  }
  if (order.paymentStatus === 'failed') return 'It is not paid: money that still arrives is returned automatically.';
  return order.refundableAmount > 0
    ? `It is paid: money and goods stay as they are. ${formatAmount(order.refundableAmount)} can be refunded first.`
    : 'Its money has gone back or there was none to pay; goods stay as they are.';
}
