// What becomes of an order whose parcel came back or was lost: sent again or refunded.
import { useState } from 'react';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
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
      {asked && <ConfirmDialog open {...questions[asked]} onConfirm={confirm} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
