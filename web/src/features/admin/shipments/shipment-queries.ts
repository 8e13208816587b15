// Parcels: the list, and what is done with them.
import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query';
import { get, post } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import type { Shipment } from '~/api/types';
import { toast } from '~/ui/feedback/toast';
import { useReloadParcels } from '../console/parcel-queries';
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
    // Back from the file: its labels are printed.
    refetchOnWindowFocus: 'always',
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

export function useCancelShipment() {
  const reload = useReloadParcels();
  return useMutation({
    mutationFn: (id: string) =>
      post('/api/admin/shipments/{id}/cancel', { path: { id }, fallback: 'Failed to cancel the parcel' }),
    onSuccess: () => toast.success('Parcel is being cancelled'),
    onError: (error) => toast.error(errorMessage(error, 'Failed to cancel the parcel')),
    onSettled: reload,
  });
}

export function useRetryShipment() {
  const reload = useReloadParcels();
  return useMutation({
    mutationFn: (id: string) =>
      post('/api/admin/shipments/{id}/retry', { path: { id }, fallback: 'Failed to try again' }),
    onSuccess: () => toast.success('Trying again'),
    onError: (error) => toast.error(errorMessage(error, 'Failed to try again')),
    onSettled: reload,
  });
}
