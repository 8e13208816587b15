// What becomes of an order whose parcel came back or was lost: sent again or refunded.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import { formatAmount } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { orderPageQuery } from './order-query';
import { type SeenOrder, useEndOrder, useShipOrders } from './parcel-queries';

type Question = 'again' | 'refund' | 'restock';

const questions: Record<Question, { question: string; hint: string; action: string }> = {
  again: {
    question: 'Send it again?',
    hint: 'The packs of the lost parcel are gone, so the new one takes its packs from stock.',
    action: 'Send again',
  },
  restock: {
    question: 'Refund and restock?',
    hint: 'The order is cancelled, the money goes back to the customer, and the packs go back into stock.',
    action: 'Refund and restock',
  },
  refund: {
    question: 'Refund without restocking?',
    hint: 'The order is cancelled and the money goes back to the customer. The packs do not go back into stock.',
    action: 'Refund',
  },
};

type Props = SeenOrder & {
  status: 'returned' | 'lost';
  size?: 'sm' | 'lg';
};

export function ParcelDecision({ orderId, orderStatus, orderVersion, status, size = 'sm' }: Props) {
  const [asked, setAsked] = useState<Question>();
  const end = useEndOrder();
  const again = useShipOrders();
  const isLost = status === 'lost';
  const sendAgain = () => again.mutate({ orders: [orderId] });
  const confirm = () => {
    setAsked(undefined);
    if (asked === 'again') sendAgain();
    else end.mutate({ orderId, orderStatus, orderVersion, restock: asked === 'restock' });
  };
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 border-t border-line pt-3 max-sm:[&>button]:grow">
      <p className="mr-2 font-semibold max-sm:w-full">
        {isLost ? 'The parcel is lost. What now?' : 'The parcel came back. What now?'}
      </p>
      {isLost && (
        <Button size={size} busy={again.isPending} onClick={() => setAsked('again')}>
          Send again
        </Button>
      )}
      {!isLost && (
        <Button size={size} busy={end.isPending} onClick={() => setAsked('restock')}>
          Refund and restock
        </Button>
      )}
      <Button variant="secondary" size={size} disabled={end.isPending} onClick={() => setAsked('refund')}>
        {isLost ? 'Refund' : 'Refund only'}
      </Button>
      {!isLost && (
        <Button variant="secondary" size={size} busy={again.isPending} onClick={sendAgain}>
          Send it again
        </Button>
      )}
      {asked && <Question asked={asked} orderId={orderId} onConfirm={confirm} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

type QuestionProps = { asked: Question; orderId: string; onConfirm: () => void; onClose: () => void };

/** Names the order, its customer, and the amount that goes back. */
function Question({ asked, orderId, onConfirm, onClose }: QuestionProps) {
  const { hint, ...texts } = questions[asked];
  const { data, isPending, error } = useQuery(orderPageQuery(orderId));
  const order = data?.orders[0];
  return (
    <ConfirmDialog
      open
      {...texts}
      hint={
        <>
          <p className="font-semibold text-ink [overflow-wrap:anywhere]">
            Order {shortId(orderId)}
            {order && `, ${order.deliveryAddress.name}`}
            {order && asked !== 'again' && `: ${formatAmount(order.refundableAmount)} goes back`}
          </p>
          <p className="mt-2">{hint}</p>
        </>
      }
      busy={isPending}
      error={error ? errorMessage(error, 'Failed to fetch the order') : undefined}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
