// Asks what becomes of the money and the items when paid orders are set to cancelled.
import type { Order } from '~/api/types';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog';
import { formatRupees, plural } from '~/ui/format';

export type CancelOptions = { refund: boolean; restock: boolean };

export const isPaid = ({ paymentStatus }: Pick<Order, 'paymentStatus'>) => paymentStatus === 'completed';

type Props = {
  open: boolean;
  /** All that are set to cancelled, at least one of them paid. */
  orders: Order[];
  onChoose: (options: CancelOptions | undefined) => void;
  onClose: () => void;
};

export function CancelQuestion({ open, orders, onChoose, onClose }: Props) {
  const paid = orders.filter(isPaid);
  const left = paid.reduce((sum, { refundableAmount }) => sum + Math.round(refundableAmount * 100), 0) / 100;
  const first = orders[0];
  const what =
    orders.length === 1 && first
      ? `Order ${shortId(first._id)} is paid`
      : `${paid.length} of ${plural(orders.length, 'order')} are paid`;
  const choose = (options?: CancelOptions) => {
    onClose();
    onChoose(options);
  };
  return (
    <Dialog open={open} onClose={onClose} title="Refund and restock, too?" width="36rem">
      <p className="mt-3 font-semibold tabular-nums">
        {what}: {left > 0 ? `${formatRupees(left)} can go back.` : 'nothing is left to refund.'}
      </p>
      <ul className="mt-3 space-y-2 text-ink-soft">
        <li>
          <b className="text-ink">{left > 0 ? 'Refund and restock' : 'Restock'}</b>:{' '}
          {left > 0 && 'the money goes back within 3-5 days, and '}the packs go back into stock.
        </li>
        <li>
          <b className="text-ink">Only the status</b>: money and stock stay as they are.
          {left > 0 && ' It stays under "Needs a person" until it is refunded, or you say why the money is kept.'}
        </li>
      </ul>
      <DialogActions>
        <Button variant="ghost" onClick={onClose} data-autofocus>
          Back
        </Button>
        <Button variant="secondary" onClick={() => choose()}>
          Only the status
        </Button>
        <Button onClick={() => choose({ refund: left > 0, restock: true })}>
          {left > 0 ? 'Refund and restock' : 'Restock'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
