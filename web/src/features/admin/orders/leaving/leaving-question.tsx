// Asks before refunded or unpaid orders leave the shop, and says what was refunded.
import type { Order } from '~/api/types';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { type LeavingConfirmation, whyStay } from './leaving';

type Props = {
  open: boolean;
  /** Those to ask about. */
  orders: Order[];
  /** What the confirming button says. */
  action: string;
  onConfirm: (confirmed: LeavingConfirmation) => void;
  onClose: () => void;
};

export function LeavingQuestion({ open, orders, action, onConfirm, onClose }: Props) {
  const isUnpaid = orders.some(({ paymentStatus }) => paymentStatus !== 'completed');
  const isRefunded = orders.some(({ paymentStatus }) => paymentStatus === 'completed');
  return (
    <Dialog open={open} onClose={onClose} title="Should it leave the shop?" width="34rem">
      <ul className="mt-3 max-h-72 space-y-2 overflow-y-auto">
        {orders.map((order) => (
          <li key={order._id}>
            <b className="tabular-nums">Order {shortId(order._id)}</b>{' '}
            <span className="[overflow-wrap:anywhere]">{whyStay(order)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-ink-soft">
        {isRefunded && 'Only packs that are not refunded are sent, unless everything was. '}
        {isUnpaid && 'An unpaid order stays under "Needs a person" until it is paid.'}
      </p>
      <DialogActions>
        <Button variant="ghost" onClick={onClose} data-autofocus>
          Back
        </Button>
        <Button
          onClick={() => {
            onClose();
            onConfirm({ evenIfRefunded: isRefunded || undefined, evenIfUnpaid: isUnpaid || undefined });
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
