// Asks what becomes of the money and the items when paid orders are set to cancelled.
import type { Order } from '~/api/types';
import { formatAmount, plural } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { restKeptText } from '~/shared/order/refund-state';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { hasLeft, isLost, wasSent } from '../leaving/leaving';

/** `cameBack`: the packs were sent and are in the shop again. */
export type CancelOptions = { refund: boolean; restock: boolean; cameBack?: boolean };

export const isPaid = ({ paymentStatus }: Pick<Order, 'paymentStatus'>) => paymentStatus === 'completed';

type Props = {
  open: boolean;
  /** All that are set to cancelled, at least one of them paid. */
  orders: Order[];
  onChoose: (options: CancelOptions | undefined) => void;
  onClose: () => void;
};

/** In rupees, to the paisa. */
const sumOf = (orders: Order[], amount: (order: Order) => number) =>
  orders.reduce((sum, order) => sum + Math.round(amount(order) * 100), 0) / 100;

export function CancelQuestion({ open, orders, onChoose, onClose }: Props) {
  const paid = orders.filter(isPaid);
  const left = sumOf(paid, ({ refundableAmount }) => refundableAmount);
  const kept = sumOf(paid, ({ restKept }) => restKept);
  const sent = paid.filter(wasSent);
  const canRestock = paid.some((order) => !isLost(order) && order.items.some(({ held }) => held > 0));
  const canRefundOnly = left > 0 && canRestock && sent.length > 0;
  const action = [left > 0 && 'refund', canRestock && 'restock'].filter(Boolean).join(' and ');
  const label = action.charAt(0).toUpperCase() + action.slice(1);
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
        {what}: {left > 0 ? `${formatAmount(left)} can go back.` : 'nothing is left to refund.'}
        {kept > 0 && ` ${restKeptText(kept)}.`}
      </p>
      {sent.length > 0 && <p className="mt-3 font-semibold">{sentText(orders, sent)}</p>}
      <ul className="mt-3 space-y-2 text-ink-soft">
        {label && (
          <li>
            <b className="text-ink">{label}</b>:{' '}
            {[left > 0 && 'the money goes back within 3-5 days', canRestock && 'the packs go back into stock']
              .filter(Boolean)
              .join(', and ')}
            .{canRestock && sent.length > 0 && ' Only if they came back to the shop.'}
          </li>
        )}
        {canRefundOnly && (
          <li>
            <b className="text-ink">Refund</b>: the money goes back within 3-5 days, and the stock stays as it is.
          </li>
        )}
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
        {canRefundOnly && (
          <Button variant="secondary" onClick={() => choose({ refund: true, restock: false })}>
            Refund
          </Button>
        )}
        {label && (
          <Button
            onClick={() =>
              choose({
                refund: left > 0,
                restock: canRestock,
                cameBack: (canRestock && sent.length > 0) || undefined,
              })
            }
          >
            {label}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

function sentText(orders: Order[], sent: Order[]): string {
  const [only] = sent;
  if (orders.length > 1 || !only) return `${plural(sent.length, 'order')} of them shipped or delivered.`;
  if (isLost(only)) return 'Its parcel is lost: its packs cannot go back into stock.';
  return hasLeft(only.orderStatus) ? `It is ${only.orderStatus}.` : 'It was shipped before.';
}
