// The person's orders as the program keeps them, and the payment of one.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, apiGet, apiSend, textOf } from '~/api/client';
import { leaveForPayment, type PaymentBegun } from '~/api/payment';
import { useSession } from '~/api/session';
import type { Order } from '~/api/types';
import { notify } from '~/ui/notify';
import { usePageRestored } from '~/ui/use-page-restored';
import { paymentState } from './order-rules';

const ordersQuery = queryOptions({
  queryKey: ['orders'],
  queryFn: () => apiGet<{ orders: Order[] }>('/api/user/orders', 'Failed to load orders').then((body) => body.orders),
  staleTime: 10_000,
  retry: false,
});

export function useOrders() {
  const { authenticated } = useSession();
  const query = useQuery({ ...ordersQuery, enabled: authenticated === true });
  useEffect(() => {
    if (query.isError) notify.error('Failed to load orders', { id: 'orders-load' });
  }, [query.isError]);
  return {
    orders: query.data ?? [],
    loading: query.isPending,
    failed: query.isError && !query.data,
    retry: query.refetch,
  };
}

/** One order, fresh from the program; what the list knew of it is shown meanwhile. */
export function useOrder(id: string) {
  const client = useQueryClient();
  return useQuery({
    queryKey: ['orders', id],
    queryFn: () =>
      apiGet<{ order: Order }>(`/api/user/orders/${encodeURIComponent(id)}`, 'Failed to load order').then(
        (body) => body.order,
      ),
    placeholderData: () => client.getQueryData<Order[]>(ordersQuery.queryKey)?.find((order) => order._id === id),
    enabled: id !== '',
    retry: false,
  });
}

const POLL_MS = 3000;
type PaymentAnswer = { success: boolean; message: string; order: Order | null };

/** The order behind a payment; asked again every 3 seconds while the payment is pending. */
export function usePayment(merchantOrderId: string) {
  return useQuery({
    queryKey: ['payment', merchantOrderId],
    queryFn: () =>
      apiGet<PaymentAnswer>(
        `/api/payment/order/db/${encodeURIComponent(merchantOrderId)}`,
        'Could not fetch order',
      ).then(({ success, message, order }) => {
        if (!success || !order) throw new ApiError(404, message || 'Could not fetch order');
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

/** A failed order goes back to the gateway. */
export function usePayAgain() {
  const [leaving, setLeaving] = useState(false);
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: (orderId: string) =>
      apiSend<PaymentBegun>(
        `/api/user/orders/${encodeURIComponent(orderId)}/pay-again`,
        { method: 'POST' },
        'Failed to initiate payment',
      ),
    onSuccess: (begun) => {
      try {
        leaveForPayment(begun);
        setLeaving(true);
      } catch (error) {
        notify.error(textOf(error, 'Failed to initiate payment'));
      }
    },
    onError: (error) => notify.error(textOf(error, 'Failed to initiate payment')),
  });
  usePageRestored(() => {
    setLeaving(false);
    void client.invalidateQueries({ queryKey: ordersQuery.queryKey });
  });
  return { payAgain: mutation.mutate, busy: mutation.isPending || leaving };
}
