// The cart as the program keeps it. Every call answers the whole cart, which replaces ours; changes show at once and
// are taken back if the program refuses. Totals are always the program's.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, apiGet, apiSend, textOf } from '~/api/client';
import { authenticatedNow, useSession } from '~/api/session';
import type { Cart } from '~/api/types';
import { notify } from '~/ui/notify';
import { openLogin } from '~/ui/panels';

const KEY = ['cart'] as const;
const EMPTY: Cart = { items: [], totalPacks: 0, totalAmount: 0, version: 0 };
const SIGN_IN_TO_ADD = 'Please login to add items to cart';
const SIGN_IN_TO_MANAGE = 'Please login to manage your cart';

export type Packs = { productId: string; qty_50g: number; qty_100g: number };
type CartAnswer = { cart: Cart };

const cartQuery = queryOptions({
  queryKey: KEY,
  queryFn: () => apiGet<CartAnswer>('/api/cart/cart', 'Failed to fetch cart').then((body) => body.cart),
  staleTime: 15_000,
  retry: false,
});

export function useCart() {
  const { authenticated } = useSession();
  const query = useQuery({ ...cartQuery, enabled: authenticated === true });
  const { error } = query;
  useEffect(() => {
    // Signed out meanwhile is an empty cart, not a fault.
    if (error && !error.message.includes('not authenticated')) notify.error('Failed to load cart', { id: 'cart-load' });
  }, [error]);
  return {
    cart: (authenticated && query.data) || EMPTY,
    loading: query.isLoading,
    failed: query.isError,
    retry: query.refetch,
  };
}

export function useAddToCart({ logFailures = false } = {}) {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: (body: Packs | { productId: string; quantity: number }) =>
      apiSend<CartAnswer>('/api/cart/add-to-cart', { method: 'POST', body }, 'Failed to add item to cart'),
    onSuccess: async ({ cart }) => {
      // A cart that was asked for before this change would take it back.
      await client.cancelQueries({ queryKey: KEY });
      client.setQueryData<Cart>(KEY, cart);
      notify.success('Item added to cart successfully');
    },
    onError: (error, body) => {
      if (isSignedOut(error)) askToSignIn(body);
      else if (logFailures) console.error(error);
      else notify.error(`Failed to add item: ${textOf(error, 'Failed to add item to cart')}`);
    },
  });

  const add = (body: Packs | { productId: string; quantity: number }) => {
    if (authenticatedNow(client) === false) askToSignIn(body);
    else mutation.mutate(body);
  };
  return { add, adding: mutation.isPending, addingId: mutation.isPending ? mutation.variables.productId : null };
}

function askToSignIn(body: Packs | { productId: string; quantity: number }) {
  notify.error(SIGN_IN_TO_ADD);
  const [few, many] = 'quantity' in body ? [body.quantity, 0] : [body.qty_50g, body.qty_100g];
  openLogin(`${body.productId}:${few}:${many}`);
}

export function useChangeCart() {
  const client = useQueryClient();
  const { authenticated } = useSession();

  const optimistic = (change: (cart: Cart) => Cart) => async () => {
    await client.cancelQueries({ queryKey: KEY });
    const before = client.getQueryData<Cart>(KEY);
    if (before) client.setQueryData<Cart>(KEY, change(before));
    return { before };
  };
  const settle = ({ cart }: CartAnswer) => client.setQueryData<Cart>(KEY, cart);
  const undo = (before: Cart | undefined) => before && client.setQueryData<Cart>(KEY, before);

  const update = useMutation({
    mutationFn: (body: Packs) =>
      apiSend<CartAnswer>('/api/cart/update', { method: 'PUT', body }, 'Failed to update cart'),
    onMutate: (packs) =>
      optimistic((cart) => ({
        ...cart,
        items: cart.items.map((item) => (item.productId === packs.productId ? { ...item, ...packs } : item)),
      }))(),
    onSuccess: settle,
    onError: (error, _packs, context) => {
      undo(context?.before);
      notify.error(isSignedOut(error) ? SIGN_IN_TO_MANAGE : textOf(error, 'Failed to update cart'));
    },
  });

  const remove = useMutation({
    mutationFn: (productId: string) => {
      if (!productId) throw new Error('Product ID is required to remove item from cart');
      const path = `/api/cart/remove/${encodeURIComponent(productId)}`;
      return apiSend<CartAnswer>(path, { method: 'DELETE' }, 'Failed to remove item from cart');
    },
    onMutate: (productId) =>
      optimistic((cart) => ({ ...cart, items: cart.items.filter((item) => item.productId !== productId) }))(),
    onSuccess: (answer) => {
      settle(answer);
      notify.success('Item removed from cart');
    },
    onError: (error, _id, context) => {
      undo(context?.before);
      const text = textOf(error, 'Failed to remove item from cart');
      notify.error(isSignedOut(error) ? SIGN_IN_TO_MANAGE : `Failed to remove item: ${text}`);
    },
  });

  const clear = useMutation({
    mutationFn: () => apiSend<CartAnswer>('/api/cart/api/cart/clear', { method: 'DELETE' }, 'Failed to clear cart'),
    onSuccess: (answer) => {
      settle(answer);
      notify.success('Cart cleared successfully');
    },
    onError: (error) => notify.error(textOf(error, 'Failed to clear cart')),
  });

  const signedIn = <Args extends unknown[]>(act: (...args: Args) => void) => {
    return (...args: Args) => (authenticated === false ? void notify.error(SIGN_IN_TO_MANAGE) : act(...args));
  };

  return {
    /** Both sizes at nothing takes the item out. */
    setPacks: signedIn((packs: Packs) => {
      if (packs.qty_50g <= 0 && packs.qty_100g <= 0) remove.mutate(packs.productId);
      else update.mutate(packs);
    }),
    removeItem: signedIn((productId: string) => remove.mutate(productId)),
    clear: signedIn(() => clear.mutate()),
    busy: update.isPending || remove.isPending || clear.isPending,
  };
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.message.includes('not authenticated'));
}
