// Entering and removing the cart's discount code.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { del, put } from '~/api/client';
import { errorMessage } from '~/api/error';
import { handleUnauthorized } from '~/shared/auth/session';
import { toast } from '~/ui/feedback/toast';
import { saveCart } from './cart-queries';

const REMOVE_FAILED = 'Failed to remove the code';

export function useDiscountMutations() {
  const client = useQueryClient();
  const enter = useMutation({
    mutationFn: (code: string) =>
      put('/api/cart/discount', { body: { code }, fallback: 'The code could not be checked' }),
    onSuccess: ({ cart }) => saveCart(client, cart),
    // The form shows the message.
    onError: (error) => handleUnauthorized(client, error),
  });
  const remove = useMutation({
    mutationFn: () => del('/api/cart/discount', { fallback: REMOVE_FAILED }),
    onSuccess: ({ cart }) => {
      saveCart(client, cart);
      enter.reset();
    },
    onError: (error) => {
      handleUnauthorized(client, error);
      toast.error(errorMessage(error, REMOVE_FAILED));
    },
  });
  return { enter, remove };
}
