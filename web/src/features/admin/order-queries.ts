// Orders and open concerns as the admin calls give them. The program filters and pages; a change shows in its row at
// once and the list is asked again.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiGet, apiSend, textOf } from '~/api/client';
import type { Concern, Order, OrderPage, OrderStatus } from '~/api/types';
import { notify } from '~/ui/notify';
import { historyQuery } from './history-query';
import { type OrderFilter, ordersCall } from './order-filter';
import { RESERVED_STOCK } from './reserved-stock';

const ORDERS = ['admin', 'orders'] as const;
const CONCERNS = ['admin', 'concerns'] as const;
const one = (id: string) => `/api/admin/orders/${encodeURIComponent(id)}`;

export const ordersQuery = (filter: OrderFilter, page: number) =>
  queryOptions({
    queryKey: [...ORDERS, filter, page],
    queryFn: () => apiGet<OrderPage>(ordersCall(filter, page), 'Failed to fetch orders'),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  });

export function useUpdateStatus() {
  const client = useQueryClient();
  const edit = useEditPages();
  return useMutation({
    mutationFn: ({ id, orderStatus }: { id: string; orderStatus: OrderStatus }) =>
      apiSend<{ order: Order }>(
        `${one(id)}/status`,
        { method: 'PUT', body: { orderStatus } },
        'Failed to update status',
      ),
    onSuccess: ({ order }, { id, orderStatus }) => {
      edit((page) => ({
        ...page,
        orders: page.orders.map((each) => (each._id === id ? { ...each, ...order, orderStatus } : each)),
      }));
      notify.success('Order status updated!');
      void client.invalidateQueries({ queryKey: RESERVED_STOCK });
      void client.invalidateQueries({ queryKey: historyQuery(id).queryKey });
    },
    onError: (error) => notify.error(textOf(error, 'Failed to update status')),
  });
}

export function useDeleteOrder() {
  const client = useQueryClient();
  const edit = useEditPages();
  return useMutation({
    mutationFn: (id: string) => apiSend(one(id), { method: 'DELETE' }, 'Failed to delete order'),
    onSuccess: (_answer, id) => {
      edit((page) => ({ ...page, orders: page.orders.filter((each) => each._id !== id) }));
      notify.success('Order deleted!');
      void client.invalidateQueries({ queryKey: RESERVED_STOCK });
      void client.invalidateQueries({ queryKey: ORDERS });
    },
    onError: (error) => notify.error(textOf(error, 'Failed to delete order')),
  });
}

export const concernsQuery = queryOptions({
  queryKey: CONCERNS,
  queryFn: () =>
    apiGet<{ concerns: Concern[] }>('/api/admin/concerns', 'Failed to fetch what needs a person').then(
      (body) => body.concerns,
    ),
  staleTime: 30_000,
  refetchInterval: 60_000,
  retry: false,
});

export function useSettleConcern() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      apiSend(`/api/admin/concerns/${encodeURIComponent(id)}/settle`, { method: 'PUT', body: {} }, 'Failed to settle'),
    onSuccess: (_answer, id) =>
      client.setQueryData<Concern[]>(CONCERNS, (list) => list?.filter((each) => each._id !== id)),
    onError: (error) => notify.error(textOf(error, 'Failed to settle')),
  });
}

function useEditPages() {
  const client = useQueryClient();
  return (change: (page: OrderPage) => OrderPage) =>
    client.setQueriesData<OrderPage>({ queryKey: ORDERS }, (page) => page && change(page));
}
