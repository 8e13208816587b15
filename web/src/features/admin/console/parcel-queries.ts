// Sending orders and refunding those whose parcel came back or was lost, for the sections of parcels and of orders.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post, put } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import type { ShipInput, Shipment } from '~/api/types';
import { plural } from '~/lib/format';
import { toast } from '~/ui/feedback/toast';

export function useReloadParcels(): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [adminKeys.shipments, adminKeys.orders, adminKeys.orderIssues, adminKeys.auditLogs])
      void client.invalidateQueries({ queryKey });
  };
}

export function useShipOrders() {
  const reload = useReloadParcels();
  return useMutation({
    mutationFn: (body: ShipInput) => post('/api/admin/shipments', { body, fallback: 'Failed to ship the orders' }),
    onSuccess: ({ shipments }) => toast.success(`${plural(shipments.length, 'parcel')} on the way to the courier!`),
    onError: (error) => toast.error(errorMessage(error, 'Failed to ship the orders')),
    onSettled: reload,
  });
}

/** As the page shows it: the server refuses if it has changed. */
export type SeenOrder = Pick<Shipment, 'orderId' | 'orderStatus' | 'orderVersion'>;

/** For a parcel that came back or was lost: the order ends, and its money goes back. */
export function useEndOrder() {
  const reload = useReloadParcels();
  return useMutation({
    mutationFn: ({ orderId, orderStatus, orderVersion, restock }: SeenOrder & { restock: boolean }) =>
      put('/api/admin/orders/{id}/status', {
        path: { id: orderId },
        body: { orderStatus: 'cancelled', refund: true, restock, seenStatus: orderStatus, version: orderVersion },
        fallback: 'Failed to refund the order',
      }),
    onSuccess: (_response, { restock }) => toast.success(restock ? 'Refunded and back in stock' : 'Refunded'),
    onError: (error) => toast.error(errorMessage(error, 'Failed to refund the order')),
    onSettled: reload,
  });
}
