// Paid orders that wait to be packed, shipped and printed: the list, what their parcels would cost, and the request that packs
// and ships them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, post } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import type { OrderToPackAndShip } from '~/api/types';
import { toast } from '~/ui/feedback/toast';
import { useReloadParcels } from '../../console/parcel-queries';

/** While the server books parcels, the next label is a moment away. */
const BUSY_POLL_MS = 1_500;
const IDLE_POLL_MS = 30_000;
const COST_MS = 5 * 60_000;

const isBooking = ({ stage, error }: OrderToPackAndShip) => stage === 'book' && !error;

export const waitingOrdersQuery = queryOptions({
  queryKey: adminKeys.packAndShip,
  queryFn: () => get('/api/admin/pack-and-ship', { fallback: 'Failed to fetch the orders to pack' }),
  staleTime: 1_000,
  refetchInterval: ({ state }) => (state.data?.orders.some(isBooking) ? BUSY_POLL_MS : IDLE_POLL_MS),
  // Back from the file: its orders are done.
  refetchOnWindowFocus: 'always',
  retry: false,
});

/** What the parcels of some orders would cost, by order; null where it is not known. */
export const parcelCostsQuery = (ids: string[], enabled: boolean) =>
  queryOptions({
    queryKey: adminKeys.parcelCosts(ids),
    queryFn: () =>
      get('/api/admin/pack-and-ship/costs', {
        query: { orders: ids.join(',') },
        fallback: 'Failed to fetch the costs',
      }).then(({ costs }) => costs),
    enabled: enabled && ids.length > 0,
    staleTime: COST_MS,
    retry: false,
  });

type Press = { rows: OrderToPackAndShip[]; evenIfRefunded?: boolean };

/** With what the page showed of the orders: one that has changed is refused. The request can be repeated. */
export function usePackAndShip() {
  const client = useQueryClient();
  const reloadParcels = useReloadParcels();
  return useMutation({
    mutationFn: ({ rows, evenIfRefunded }: Press) =>
      post('/api/admin/pack-and-ship', {
        body: {
          orders: rows.map(({ order }) => order._id),
          seen: rows.map(({ order }) => ({ id: order._id, version: order.version })),
          evenIfRefunded,
        },
        fallback: 'Failed to pack and ship the orders',
      }),
    onError: (error) => toast.error(errorMessage(error, 'Failed to pack and ship the orders')),
    onSettled: () => {
      reloadParcels();
      void client.invalidateQueries({ queryKey: adminKeys.invoices });
      void client.invalidateQueries({ queryKey: adminKeys.stock });
      // Until it is there, the mutation is busy: the outcome is read from the list.
      return client.invalidateQueries({ queryKey: adminKeys.packAndShip });
    },
  });
}
