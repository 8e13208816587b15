// One order with its notes and its customer: for its page, and for questions that name its amount.
import { queryOptions } from '@tanstack/react-query';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { Order, StaffOrder } from '~/api/types';
import { refundPollMs } from '~/shared/order/refund-state';

/** With a list, as pages of the order list have one: a change of an order is written into each. */
export type OrderPageData = Pick<StaffOrder, 'notes' | 'customer'> & { orders: Order[] };

export const orderPageQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.orderPageOf(id),
    queryFn: async (): Promise<OrderPageData> => {
      const { order, ...rest } = await get('/api/admin/orders/{id}', {
        path: { id },
        fallback: 'Failed to fetch the order',
      });
      return { ...rest, orders: [order] };
    },
    staleTime: 5_000,
    retry: false,
    refetchInterval: ({ state }) => refundPollMs((state.data?.orders ?? []).flatMap(({ refunds }) => refunds)),
  });
