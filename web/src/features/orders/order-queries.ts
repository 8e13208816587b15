// Queries and mutations of the user's orders and payments.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { get, post } from '~/api/client';
import { ApiError, errorMessage } from '~/api/error';
import { redirectToPayment } from '~/api/payment';
import { userKeys } from '~/api/query-keys';
import type { Order } from '~/api/types';
import { useSession } from '~/shared/auth/session';
import { toast } from '~/ui/toast';
import { useBfcacheRestore } from '~/ui/use-bfcache-restore';
import { paymentState } from './order-model';

const ordersQuery = queryOptions({
  queryKey: userKeys.orders,
  queryFn: () => get('/api/user/orders', { fallback: 'Failed to load orders' }).then((body) => body.orders),
  staleTime: 10_000,
  retry: false,
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
