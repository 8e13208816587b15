// Queries and mutations of the user's orders and payments.
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { get, post } from '~/api/client';
import { ApiError, errorMessage } from '~/api/error';
import { redirectToPayment } from '~/api/payment';
import { userKeys } from '~/api/queries/query-keys';
import { cancelAndInvalidate } from '~/api/queries/refetch';
import type { Cart, Order } from '~/api/types';
import { useBfcacheRestore } from '~/lib/router/use-bfcache-restore';
import { openCart } from '~/shared/auth/overlay-store';
import { useSession } from '~/shared/auth/session';
import { refundPollMs } from '~/shared/order/refund-state';
import { toast } from '~/ui/feedback/toast';
import { buyAgainNote } from './list/buy-again';
import { paymentState } from './order-model';

const ordersQuery = queryOptions({
  queryKey: userKeys.orders,
  queryFn: () => get('/api/user/orders', { fallback: 'Failed to load orders' }).then((body) => body.orders),
  staleTime: 10_000,
  retry: false,
  // The shop may have shipped or refunded something meanwhile.
  refetchOnWindowFocus: true,
});

export function useOrders() {
  const { authenticated } = useSession();
  const query = useQuery({ ...ordersQuery, enabled: authenticated === true });
  useEffect(() => {
    if (query.isError) toast.error('Failed to load orders', { id: 'orders-load' });
  }, [query.isError]);
  return {
    orders: query.data ?? [],
    loading: query.isPending,
    failed: query.isError && !query.data,
    retry: query.refetch,
  };
}

const PENDING_POLL_MS = 10_000;
const isPending = ({ paymentStatus, orderStatus }: Order) => paymentStatus === 'pending' && orderStatus !== 'cancelled';

/** The newest order that waits for its payment, and how many there are. Without a message where they cannot be loaded. */
export function usePendingOrder(): { order: Order | undefined; count: number } {
  const { authenticated } = useSession();
  const { data = [] } = useQuery({
    ...ordersQuery,
    enabled: authenticated === true,
    refetchInterval: ({ state }) => (state.data?.some(isPending) ? PENDING_POLL_MS : false),
  });
  const pending = data.filter(isPending);
  return { order: pending[0], count: pending.length };
}

/** One order from the server; while it loads, the order of the list is shown. */
export function useOrder(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: userKeys.order(id),
    queryFn: () =>
      get('/api/user/orders/{id}', { path: { id }, fallback: 'Failed to load order' }).then((body) => body.order),
    placeholderData: () => client.getQueryData<Order[]>(ordersQuery.queryKey)?.find((order) => order._id === id),
    enabled: id !== '',
    retry: false,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => refundPollMs(state.data?.refunds ?? []),
  });
}

/** To the other tabs; open while the orders are shown. Its own messages do not come back to it. */
let otherTabs: BroadcastChannel | null = null;

/** Requests the orders again, in this tab and in the others. */
function reloadOrders(client: QueryClient): void {
  void cancelAndInvalidate(client, userKeys.orders);
  otherTabs?.postMessage('changed');
}

export function useReloadOrders(): () => void {
  const client = useQueryClient();
  return () => reloadOrders(client);
}

/** Shows what another tab has changed. */
export function useOrdersOfOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    if (typeof BroadcastChannel === 'undefined') return;
    const channel = new BroadcastChannel('orders');
    channel.onmessage = () => void cancelAndInvalidate(client, userKeys.orders);
    otherTabs = channel;
    return () => {
      otherTabs = null;
      channel.close();
    };
  }, [client]);
}

function saveOrder(client: QueryClient, order: Order): void {
  client.setQueryData<Order>(userKeys.order(order._id), order);
  client.setQueryData<Order[]>(userKeys.orders, (list) => list?.map((each) => (each._id === order._id ? order : each)));
}

export function useCancelOrder() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      post('/api/user/orders/{id}/cancel', { path: { id }, fallback: 'Failed to cancel the order' }),
    onSuccess: ({ order }) => {
      saveOrder(client, order);
      toast.success(order.orderStatus === 'cancelled' ? 'Order cancelled' : 'Cancellation requested');
    },
    // Also after an error: the order has been shipped meanwhile, or the response was lost.
    onSettled: () => reloadOrders(client),
  });
}

const BUY_AGAIN_FAILED = 'Failed to add the items to your cart';

/** Puts the items of an order into the cart and opens it, with a note about what is missing or costs more. */
export function useBuyAgain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ _id }: Order) =>
      post('/api/user/orders/{id}/buy-again', { path: { id: _id }, fallback: BUY_AGAIN_FAILED }),
    onSuccess: (response, order) => {
      const { cart } = response;
      client.setQueryData<Cart>(userKeys.cart, (held) => (held && held.version > cart.version ? held : cart));
      openCart(buyAgainNote(response, order.items.length));
    },
    onError: (error) => toast.error(errorMessage(error, BUY_AGAIN_FAILED)),
  });
}

const POLL_MS = 3000;

/** The order of a payment, polled every 3 seconds while the payment is pending. */
export function usePayment(merchantOrderId: string) {
  return useQuery({
    queryKey: userKeys.payment(merchantOrderId),
    queryFn: () =>
      get('/api/payment/order/db/{merchantOrderId}', {
        path: { merchantOrderId },
        fallback: 'Could not fetch order',
      }).then(({ success, message, order }) => {
        if (!success || !order) throw new ApiError(404, 'order_not_found', message || 'Could not fetch order');
        return order;
      }),
    enabled: merchantOrderId !== '',
    refetchInterval: ({ state }) =>
      state.data && paymentState(state.data.paymentStatus) === 'pending' ? POLL_MS : false,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
    retry: false,
  });
}

/** Creates a new payment for a failed order and redirects to its payment page. */
export function usePayAgain() {
  const [redirecting, setRedirecting] = useState(false);
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: (orderId: string) =>
      post('/api/user/orders/{id}/pay-again', { path: { id: orderId }, fallback: 'Failed to initiate payment' }),
    onSuccess: (checkout) => {
      try {
        redirectToPayment(checkout);
        setRedirecting(true);
      } catch (error) {
        toast.error(errorMessage(error, 'Failed to initiate payment'));
      }
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to initiate payment')),
  });
  useBfcacheRestore(() => {
    setRedirecting(false);
    void client.invalidateQueries({ queryKey: ordersQuery.queryKey });
  });
  return { payAgain: mutation.mutate, busy: mutation.isPending || redirecting };
}
