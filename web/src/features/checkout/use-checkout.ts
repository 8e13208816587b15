// From the delivery address to the payment page.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askAgain } from '~/api/ask-again';
import { apiSend, textOf } from '~/api/client';
import { leaveForPayment, type PaymentBegun } from '~/api/payment';
import type { Cart } from '~/api/types';
import { notify } from '~/ui/notify';
import { usePageRestored } from '~/ui/use-page-restored';
import { type Attempt, isUnanswered, keepAttempt, newKey, nextAttempt, readAttempt, subjectOf } from './attempt';

const FAILED = 'Failed to initiate payment';
const TOAST = { id: 'checkout' };

/** `expectedTotal` is what the page showed: the program charges its own sum, and refuses where the two differ. */
type Order = { addressId: string; expectedTotal: number; attempt: Attempt };

export function useCheckout(cart: Cart, addressId: string) {
  const client = useQueryClient();
  const [leaving, setLeaving] = useState(false);

  const mutation = useMutation({
    mutationFn: ({ attempt, ...body }: Order) =>
      apiSend<PaymentBegun>(
        '/api/cart/checkout',
        { method: 'POST', body, headers: { 'Idempotency-Key': attempt.key } },
        FAILED,
      ),
    onMutate: ({ attempt }) => keepAttempt(attempt),
    onSuccess: (begun) => {
      keepAttempt(null);
      try {
        leaveForPayment(begun);
        setLeaving(true);
      } catch (error) {
        notify.error(textOf(error, FAILED), TOAST);
      }
    },
    onError: (error) => {
      if (!isUnanswered(error)) keepAttempt(null);
      notify.error(textOf(error, FAILED), TOAST);
      // A refusal is mostly about stock or a price: the page shows at once what changed.
      void askAgain(client, ['cart']);
    },
  });

  usePageRestored(() => {
    setLeaving(false);
    notify.dismiss(TOAST.id);
    void askAgain(client, ['cart']);
  });

  const busy = mutation.isPending || leaving;
  const pay = () => {
    if (busy) return;
    if (!addressId) {
      notify.error('Please select a delivery address', TOAST);
      return;
    }
    notify.loading('Creating order and initiating payment...', TOAST);
    const subject = subjectOf(cart, addressId);
    const attempt = nextAttempt(readAttempt(), subject, newKey);
    mutation.mutate({ addressId, expectedTotal: cart.totalAmount, attempt });
  };
  return { pay, busy };
}
