// Parcels: the list, and what is done with them.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, post, put } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/query-keys';
import type { ShipInput, Shipment } from '~/api/types';
import { plural } from '~/ui/format';
import { toast } from '~/ui/toast';
import { SHIPMENTS_PER_PAGE, type ShipmentGroup } from './shipment-group';

const FETCH_FAILED = 'Failed to fetch shipments';
/** While the server works on a parcel, its next step is a moment away. */
const BUSY_POLL_MS = 2_000;
const IDLE_POLL_MS = 30_000;

const isWorkedOn = ({ step, error }: Shipment) => step !== 'track' && step !== 'done' && !error;

export const shipmentsQuery = (group: ShipmentGroup, page: number) =>
  queryOptions({
    queryKey: adminKeys.shipmentPage(group, page),
    queryFn: () =>
      get('/api/admin/shipments', { query: { group, page, limit: SHIPMENTS_PER_PAGE }, fallback: FETCH_FAILED }),
    placeholderData: keepPreviousData,
    staleTime: 2_000,
    refetchInterval: ({ state }) => (state.data?.shipments.some(isWorkedOn) ? BUSY_POLL_MS : IDLE_POLL_MS),
    retry: false,
  });

export const couriersQuery = (orderId: string) =>
  queryOptions({
    queryKey: adminKeys.couriers(orderId),
    queryFn: () =>
      get('/api/admin/orders/{id}/couriers', { path: { id: orderId }, fallback: 'Failed to fetch couriers' }),
    select: ({ couriers }) => couriers,
    staleTime: 60_000,
    retry: false,
  });

function useReload(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [adminKeys.shipments, adminKeys.orders, adminKeys.orderIssues, adminKeys.auditLogs])
      void client.invalidateQueries({ queryKey });
  };
}

export function useShipOrders() {
  const reload = useReload();
  return useMutation({
    mutationFn: (body: ShipInput) => post('/api/admin/shipments', { body, fallback: 'Failed to ship the orders' }),
    onSuccess: ({ shipments }) => toast.success(`${plural(shipments.length, 'parcel')} on the way to the courier!`),
    onError: (error) => toast.error(errorMessage(error, 'Failed to ship the orders')),
    onSettled: reload,
  });
}

export function useCancelShipment() {
  const reload = useReload();
  return useMutation({
    mutationFn: (id: string) =>
      post('/api/admin/shipments/{id}/cancel', { path: { id }, fallback: 'Failed to cancel the parcel' }),
    onSuccess: () => toast.success('Parcel is being cancelled'),
    onError: (error) => toast.error(errorMessage(error, 'Failed to cancel the parcel')),
    onSettled: reload,
  });
}

export function useRetryShipment() {
  const reload = useReload();
  return useMutation({
    mutationFn: (id: string) =>
      post('/api/admin/shipments/{id}/retry', { path: { id }, fallback: 'Failed to try again' }),
    onSuccess: () => toast.success('Trying again'),
    onError: (error) => toast.error(errorMessage(error, 'Failed to try again')),
    onSettled: reload,
  });
}

/** For a parcel that came back or was lost: the order ends, and its money goes back. */
export function useEndOrder() {
  const reload = useReload();
  return useMutation({
    mutationFn: ({ orderId, orderStatus, restock }: Pick<Shipment, 'orderId' | 'orderStatus'> & { restock: boolean }) =>
      put('/api/admin/orders/{id}/status', {
        path: { id: orderId },
        body: { orderStatus: 'cancelled', refund: true, restock, seenStatus: orderStatus },
        fallback: 'Failed to refund the order',
      }),
    onSuccess: (_response, { restock }) => toast.success(restock ? 'Refunded and back in stock' : 'Refunded'),
    onError: (error) => toast.error(errorMessage(error, 'Failed to refund the order')),
    onSettled: reload,
  });
}
