// From the delivery address to the payment page.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { post } from '~/api/client';
import { errorMessage, isOutcomeUnknown } from '~/api/error';
import { newKey } from '~/api/idempotency-key';
import { redirectToPayment } from '~/api/payment';
import { userKeys } from '~/api/queries/query-keys';
import { cancelAndInvalidate } from '~/api/queries/refetch';
import type { Cart } from '~/api/types';
import { useBfcacheRestore } from '~/lib/router/use-bfcache-restore';
import { toast } from '~/ui/feedback/toast';
import { attemptFor, type CheckoutAttempt, fingerprint, readAttempt, saveAttempt } from './checkout-attempt';

const FAILED = 'Failed to initiate payment';
const TOAST = { id: 'checkout' };

/** `expectedTotal` is the total that the page showed: the server rejects the order if its own total differs. */
type CheckoutVariables = { addressId: string; expectedTotal: number; attempt: CheckoutAttempt };

export function useCheckout(cart: Cart, addressId: string) {
  const client = useQueryClient();
  const [redirecting, setRedirecting] = useState(false);

  const mutation = useMutation({
    mutationFn: ({ attempt, ...body }: CheckoutVariables) =>
      post('/api/cart/checkout', { body, headers: { 'Idempotency-Key': attempt.key }, fallback: FAILED }),
    onMutate: ({ attempt }) => saveAttempt(attempt),
    onSuccess: (checkout) => {
      saveAttempt(null);
      try {
        redirectToPayment(checkout);
        setRedirecting(true);
      } catch (error) {
        toast.error(errorMessage(error, FAILED), TOAST);
      }
    },
    onError: (error) => {
      if (!isOutcomeUnknown(error)) saveAttempt(null);
      toast.error(errorMessage(error, FAILED), TOAST);
      // Most errors are about stock or a price: reload the cart to show what changed.
      void cancelAndInvalidate(client, userKeys.cart);
    },
  });

  useBfcacheRestore(() => {
    setRedirecting(false);
    toast.dismiss(TOAST.id);
    void cancelAndInvalidate(client, userKeys.cart);
  });

  const busy = mutation.isPending || redirecting;
  const pay = () => {
    if (busy) return;
    if (!addressId) {
      toast.error('Please select a delivery address', TOAST);
      return;
    }
    const isFree = cart.totalAmount === 0 && cart.discountAmount > 0;
    toast.loading(isFree ? 'Placing your order...' : 'Creating order and initiating payment...', TOAST);
    const subject = fingerprint(cart, addressId);
    const attempt = attemptFor(readAttempt(), subject, newKey);
    mutation.mutate({ addressId, expectedTotal: cart.totalAmount, attempt });
  };
  return { pay, busy };
}
