// Queries and mutations of orders and order issues for admins. The server filters and pages; a change shows in its row at
// once.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { del, get, put } from '~/api/client';
import { errorMessage, isUnauthorized } from '~/api/error';
import { adminKeys } from '~/api/query-keys';
import type { OrderIssue, OrderPage, OrderStatus } from '~/api/types';
import { refundPollMs } from '~/shared/order/refund-state';
import { plural } from '~/ui/format';
import { toast } from '~/ui/toast';
import { ORDERS_PER_PAGE, type OrderFilter } from './order-filter';

export const ordersQuery = (filter: OrderFilter, page: number) =>
  queryOptions({
    queryKey: adminKeys.orderPage(filter, page),
    queryFn: () =>
      get('/api/admin/orders', {
        query: { ...filter, deleted: filter.deleted === 'true' || undefined, page, limit: ORDERS_PER_PAGE },
        fallback: 'Failed to fetch orders',
      }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
    refetchInterval: ({ state }) => refundPollMs((state.data?.orders ?? []).flatMap(({ refunds }) => refunds)),
  });

/** `refund` and `restock` are for cancelled orders. */
type StatusChange = { orderStatus: OrderStatus; refund?: boolean; restock?: boolean };

export function useUpdateStatus() {
  const client = useQueryClient();
  const edit = useEditPages();
  return useMutation({
    mutationFn: ({ id, ...body }: StatusChange & { id: string }) =>
      put('/api/admin/orders/{id}/status', {
        path: { id },
        body,
        fallback: 'Failed to update status',
      }),
    onSuccess: ({ order }, { id, orderStatus }) => {
      edit((page) => ({
        ...page,
        orders: page.orders.map((each) => (each._id === id ? { ...each, ...order, orderStatus } : each)),
      }));
      toast.success('Order status updated!');
      void client.invalidateQueries({ queryKey: adminKeys.reservedStock });
      void client.invalidateQueries({ queryKey: adminKeys.auditLog(id) });
      void client.invalidateQueries({ queryKey: adminKeys.invoices });
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to update status')),
  });
}

/** Marks orders as packed, which issues their invoices: all of them or none. */
export function usePackOrders() {
  const client = useQueryClient();
  const edit = useEditPages();
  return useMutation({
    mutationFn: (orders: string[]) =>
      put('/api/admin/orders/packed', { body: { orders }, fallback: 'Failed to mark the orders as packed' }),
    onSuccess: ({ orders }) => {
      const packed = new Map(orders.map((order) => [order._id, order]));
      edit((page) => ({ ...page, orders: page.orders.map((each) => packed.get(each._id) ?? each) }));
      toast.success(`${plural(orders.length, 'order')} packed!`);
    },
    onError: (error) => {
      toast.error(errorMessage(error, 'Failed to mark the orders as packed'));
      // Another admin may have changed one of them.
      void client.invalidateQueries({ queryKey: adminKeys.orders });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: adminKeys.auditLogs });
      void client.invalidateQueries({ queryKey: adminKeys.invoices });
    },
  });
}

/** Updates several orders, one after the other. Returns the ids of those that failed. */
export function useUpdateStatuses() {
  const client = useQueryClient();
  const edit = useEditPages();
  return useMutation({
    mutationFn: async ({ ids, ...body }: StatusChange & { ids: string[] }) => {
      const failed: string[] = [];
      let message = '';
      for (const id of ids) {
        try {
          const { order } = await put('/api/admin/orders/{id}/status', {
            path: { id },
            body,
            fallback: 'Failed to update status',
          });
          edit((page) => ({
            ...page,
            orders: page.orders.map((each) => (each._id === id ? { ...each, ...order } : each)),
          }));
        } catch (error) {
          // Signed out: the other requests would fail, too.
          if (isUnauthorized(error)) throw error;
          failed.push(id);
          message = errorMessage(error, 'Failed to update status');
        }
      }
      return { failed, message };
    },
    onSuccess: ({ failed, message }, { ids }) => {
      const done = ids.length - failed.length;
      if (done > 0) toast.success(done === 1 ? 'Order status updated!' : `Status of ${done} orders updated!`);
      if (failed.length > 0) toast.error(`${plural(failed.length, 'order')} not updated: ${message}`);
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to update status')),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: adminKeys.reservedStock });
      void client.invalidateQueries({ queryKey: adminKeys.auditLogs });
      void client.invalidateQueries({ queryKey: adminKeys.invoices });
    },
  });
}

export function useDeleteOrder() {
  const client = useQueryClient();
  const edit = useEditPages();
  return useMutation({
    mutationFn: (id: string) => del('/api/admin/orders/{id}', { path: { id }, fallback: 'Failed to delete order' }),
    onSuccess: (_response, id) => {
      edit((page) => ({ ...page, orders: page.orders.filter((each) => each._id !== id) }));
      toast.success('Order deleted!');
      void client.invalidateQueries({ queryKey: adminKeys.reservedStock });
      void client.invalidateQueries({ queryKey: adminKeys.orders });
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to delete order')),
  });
}

/** Shows a deleted order in the lists again. */
export function useRestoreOrder() {
  const client = useQueryClient();
  const edit = useEditPages();
  return useMutation({
    mutationFn: (id: string) =>
      put('/api/admin/orders/{id}/restore', { path: { id }, fallback: 'Failed to restore order' }),
    onSuccess: (_response, id) => {
      edit((page) => ({ ...page, orders: page.orders.filter((each) => each._id !== id) }));
      toast.success('Order restored!');
      void client.invalidateQueries({ queryKey: adminKeys.orders });
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to restore order')),
  });
}

export const orderIssuesQuery = queryOptions({
  queryKey: adminKeys.orderIssues,
  queryFn: () =>
    get('/api/admin/concerns', { fallback: 'Failed to fetch what needs a person' }).then((body) => body.concerns),
  staleTime: 30_000,
  refetchInterval: 60_000,
  retry: false,
});

export function useResolveIssue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => put('/api/admin/concerns/{id}/settle', { path: { id }, fallback: 'Failed to settle' }),
    onSuccess: (_response, id) =>
      client.setQueryData<OrderIssue[]>(adminKeys.orderIssues, (list) => list?.filter((each) => each._id !== id)),
    onError: (error) => toast.error(errorMessage(error, 'Failed to settle')),
  });
}

function useEditPages() {
  const client = useQueryClient();
  return (change: (page: OrderPage) => OrderPage) =>
    client.setQueriesData<OrderPage>({ queryKey: adminKeys.orders }, (page) => page && change(page));
}
