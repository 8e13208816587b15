// Queries and mutations of orders and order issues for admins. The server filters and pages; a change shows in its row at
// once.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { del, get, put } from '~/api/client';
import { ApiError, errorMessage, isUnauthorized } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import type { Order, OrderIssue, OrderPage, OrderStatus } from '~/api/types';
import { plural } from '~/lib/format';
import { refundPollMs } from '~/shared/order/refund-state';
import { toast } from '~/ui/feedback/toast';
import { isAboutRepeated } from './cancellation/repeated-question';
import type { LeavingConfirmation } from './leaving/leaving';
import type { OrderFilter } from './list/order-filter';
import type { NotPackedMessages } from './packing/not-packed';

export const ordersQuery = (filter: OrderFilter, page: number, limit: number) =>
  queryOptions({
    queryKey: adminKeys.orderPage(filter, page, limit),
    queryFn: () =>
      get('/api/admin/orders', {
        query: { ...filter, deleted: filter.deleted === 'true' || undefined, page, limit },
        fallback: 'Failed to fetch orders',
      }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
    refetchInterval: ({ state }) => refundPollMs((state.data?.orders ?? []).flatMap(({ refunds }) => refunds)),
  });

/** `refund` and `restock` are for cancelled orders. */
type StatusChange = {
  orderStatus: OrderStatus;
  refund?: boolean;
  restock?: boolean;
  /** The admin knows that packs were replaced or refunded before. */
  evenIfRepeated?: boolean;
} & LeavingConfirmation;

/** With what the page showed of the order: if it has changed meanwhile, the server refuses and says how. */
const setStatus = ({ _id, version, orderStatus: seenStatus }: Order, change: StatusChange) =>
  put('/api/admin/orders/{id}/status', {
    path: { id: _id },
    body: { ...change, version, seenStatus },
    fallback: 'Failed to update status',
  });

export function useUpdateStatus() {
  const client = useQueryClient();
  const edit = useEditPages();
  const reload = useReload();
  return useMutation({
    mutationFn: ({ order, ...change }: StatusChange & { order: Order }) => setStatus(order, change),
    onSuccess: ({ order }, { order: { _id: id }, orderStatus }) => {
      edit((page) => ({
        ...page,
        orders: page.orders.map((each) => (each._id === id ? { ...each, ...order, orderStatus } : each)),
      }));
      toast.success('Order status updated!');
      void client.invalidateQueries({ queryKey: adminKeys.reservedStock });
      void client.invalidateQueries({ queryKey: adminKeys.auditLog(id) });
      void client.invalidateQueries({ queryKey: adminKeys.invoices });
      void client.invalidateQueries({ queryKey: adminKeys.orderIssues });
    },
    onError: (error) => {
      // The row asks, and may repeat the request.
      if (isAboutRepeated(error)) return;
      toast.error(errorMessage(error, 'Failed to update status'));
      reload();
    },
  });
}

type Packed = { orders: Order[]; notPacked: { orderId: string; code: string; message: string }[] };

/** Another admin was faster. The list shows how the order is now; a reason beside it would contradict that. */
const isChanged = ({ code }: { code: string }) => code === 'order_changed' || code === 'order_not_packable';

type Packing = { orders: Pick<Order, '_id' | 'version'>[]; evenIfRefunded?: boolean };

/** Packs those that can be packed. One that is not as the page showed it is refused, so a question answered is about that. */
async function packOrders({ orders: shown, evenIfRefunded }: Packing): Promise<Packed> {
  const seen = shown.map(({ _id: id, version }) => ({ id, version }));
  try {
    return await put('/api/admin/orders/packed', {
      body: { orders: seen.map(({ id }) => id), seen, evenIfRefunded },
      fallback: 'Failed to mark the orders as packed',
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    const [only] = seen;
    if (seen.length === 1 && only)
      return { orders: [], notPacked: [{ orderId: only.id, code: error.code, message: error.message }] };
  }
  // None of several: each has its own reason.
  const packed: Packed = { orders: [], notPacked: [] };
  for (const order of shown) {
    const { orders, notPacked } = await packOrders({ orders: [order], evenIfRefunded });
    packed.orders.push(...orders);
    packed.notPacked.push(...notPacked);
  }
  return packed;
}

/** Marks orders as packed, which issues their invoices. Those that cannot be packed keep a message in the list. */
export function usePackOrders() {
  const client = useQueryClient();
  const edit = useEditPages();
  const reload = useReload();
  return useMutation({
    mutationFn: packOrders,
    onSuccess: ({ orders, notPacked }) => {
      const packed = new Map(orders.map((order) => [order._id, order]));
      edit((page) => ({ ...page, orders: page.orders.map((each) => packed.get(each._id) ?? each) }));
      client.setQueryData<NotPackedMessages>(adminKeys.notPacked, (known) => ({
        ...Object.fromEntries(Object.entries(known ?? {}).filter(([id]) => !packed.has(id))),
        ...Object.fromEntries(
          notPacked.filter((each) => !isChanged(each)).map(({ orderId, message }) => [orderId, message]),
        ),
      }));
      if (orders.length > 0) toast.success(`${plural(orders.length, 'order')} packed!`);
      const [first] = notPacked;
      if (!first) return;
      if (notPacked.length > 1) toast.error(`${plural(notPacked.length, 'order')} not packed`);
      // Of one order the list says why, if it still can be packed.
      else if (isChanged(first)) toast.error(first.message);
      // Another admin may have changed one of them.
      reload();
    },
    onError: (error) => {
      toast.error(errorMessage(error, 'Failed to mark the orders as packed'));
      reload();
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
  const reload = useReload();
  return useMutation({
    mutationFn: async ({ orders, ...change }: StatusChange & { orders: Order[] }) => {
      const failed: string[] = [];
      let message = '';
      for (const seen of orders) {
        const id = seen._id;
        try {
          const { order } = await setStatus(seen, change);
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
    onSuccess: ({ failed, message }, { orders }) => {
      const done = orders.length - failed.length;
      if (done > 0) toast.success(done === 1 ? 'Order status updated!' : `Status of ${done} orders updated!`);
      if (failed.length > 0) toast.error(`${plural(failed.length, 'order')} not updated: ${message}`);
      if (failed.length > 0) reload();
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to update status')),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: adminKeys.reservedStock });
      void client.invalidateQueries({ queryKey: adminKeys.auditLogs });
      void client.invalidateQueries({ queryKey: adminKeys.invoices });
      void client.invalidateQueries({ queryKey: adminKeys.orderIssues });
    },
  });
}

/** `keepReason`: why the money of a paid order is kept. */
export function useDeleteOrder() {
  const client = useQueryClient();
  const edit = useEditPages();
  const reload = useReload();
  return useMutation({
    mutationFn: ({ order: { _id: id, version }, keepReason }: { order: Order; keepReason?: string }) =>
      del('/api/admin/orders/{id}', {
        path: { id },
        query: { version, keepReason },
        fallback: 'Failed to delete order',
      }),
    onSuccess: (_response, { order: { _id: id } }) => {
      edit((page) => ({ ...page, orders: page.orders.filter((each) => each._id !== id) }));
      toast.success('Order deleted!');
      void client.invalidateQueries({ queryKey: adminKeys.reservedStock });
      reload();
    },
    onError: (error) => {
      toast.error(errorMessage(error, 'Failed to delete order'));
      reload();
    },
  });
}

/** Shows a deleted order in the lists again. */
export function useRestoreOrder() {
  const edit = useEditPages();
  const reload = useReload();
  return useMutation({
    mutationFn: (id: string) =>
      put('/api/admin/orders/{id}/restore', { path: { id }, fallback: 'Failed to restore order' }),
    onSuccess: (_response, id) => {
      edit((page) => ({ ...page, orders: page.orders.filter((each) => each._id !== id) }));
      toast.success('Order restored!');
    },
    onError: (error) => toast.error(errorMessage(error, 'Failed to restore order')),
    onSettled: reload,
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
  const reload = useReload();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason?: string }) =>
      put('/api/admin/concerns/{id}/settle', {
        path: { id },
        body: { reason: reason ?? '' },
        fallback: 'Failed to settle',
      }),
    onSuccess: (_response, { id }) =>
      client.setQueryData<OrderIssue[]>(adminKeys.orderIssues, (list) => list?.filter((each) => each._id !== id)),
    // The dialog that asks for the reason says it itself.
    onError: (error, { reason }) => {
      if (reason === undefined) toast.error(errorMessage(error, 'Failed to settle'));
    },
    // An order whose money is kept has a new version. Another admin may have settled it.
    onSettled: reload,
  });
}

/** Brings the list up to date: somebody else has changed an order. */
function useReload(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [adminKeys.orders, adminKeys.orderIssues]) void client.invalidateQueries({ queryKey });
  };
}

function useEditPages() {
  const client = useQueryClient();
  return (change: (page: OrderPage) => OrderPage) =>
    client.setQueriesData<OrderPage>({ queryKey: adminKeys.orders }, (page) => page && change(page));
}
