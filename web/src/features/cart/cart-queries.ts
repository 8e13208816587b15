// The server's cart. Every response has the whole cart and its version; an older version never replaces a newer one. The
// page shows this cart with the changes that are not confirmed yet. Totals are always the server's.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { get } from '~/api/client';
import { isUnauthorized } from '~/api/error';
import { userKeys } from '~/api/queries/query-keys';
import type { Cart } from '~/api/types';
import { useSession } from '~/shared/auth/session';
import { toast } from '~/ui/feedback/toast';
import { usePendingChanges, withChanges } from './pending-changes';

const EMPTY: Cart = {
  items: [],
  totalPacks: 0,
  totalAmount: 0,
  discountCode: null,
  discountAmount: 0,
  discountNotice: null,
  version: 0,
};
const CHANNEL = 'cart';

const fetchCart = () => get('/api/cart/cart', { fallback: 'Failed to fetch cart' }).then((body) => body.cart);

const cartQuery = queryOptions({
  queryKey: userKeys.cart,
  queryFn: async ({ client }) => {
    const cart = await fetchCart();
    return newer(newestCart(client), cart);
  },
  staleTime: 15_000,
  retry: false,
  // The cart may have been changed on another device.
  refetchOnWindowFocus: 'always',
});

export function useCart() {
  const { authenticated } = useSession();
  const { data, error, isLoading, isError, refetch } = useQuery({ ...cartQuery, enabled: authenticated === true });
  const changes = usePendingChanges();
  useEffect(() => {
    // Signed out meanwhile: an empty cart, not an error.
    if (error && !isUnauthorized(error)) toast.error('Failed to load cart', { id: 'cart-load' });
  }, [error]);
  const confirmed = (authenticated && data) || EMPTY;
  const cart = useMemo(() => withChanges(confirmed, changes), [confirmed, changes]);
  return { cart, changing: changes.length > 0, loading: isLoading, failed: isError && !data, retry: refetch };
}

export const newestCart = (client: QueryClient): Cart | undefined => client.getQueryData<Cart>(userKeys.cart);

export function saveCart(client: QueryClient, cart: Cart): void {
  client.setQueryData<Cart>(userKeys.cart, (held) => newer(held, cart));
}

export const refreshCart = (client: QueryClient): Promise<void> => fetchCart().then((cart) => saveCart(client, cart));

const newer = (held: Cart | undefined, cart: Cart): Cart => (held && held.version > cart.version ? held : cart);

/**
 * Keeps the cart the same in all tabs. Every version that a tab receives, by whatever change, is announced to the others;
 * a tab with an older one fetches the cart itself.
 */
export function useCartOfOtherTabs(version: number): void {
  const client = useQueryClient();
  const channel = useRef<BroadcastChannel | null>(null);
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return;
    const opened = new BroadcastChannel(CHANNEL);
    opened.onmessage = ({ data: announced }) => {
      const held = newestCart(client)?.version;
      if (held !== undefined && announced > held) void client.invalidateQueries({ queryKey: userKeys.cart });
    };
    channel.current = opened;
    return () => opened.close();
  }, [client]);
  useEffect(() => {
    if (version > 0) channel.current?.postMessage(version);
  }, [version]);
}
