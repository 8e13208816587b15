// The tracking number that an admin types in.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { put } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { TrackingInput } from '~/api/types';
import { toast } from '~/ui/feedback/toast';

export function useSetTracking(orderId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TrackingInput) =>
      put('/api/admin/orders/{id}/tracking', {
        path: { id: orderId },
        body,
        fallback: 'Failed to save the tracking number',
      }),
    onSuccess: () => toast.success('Tracking number saved!'),
    onSettled: () => {
      for (const queryKey of [adminKeys.orders, adminKeys.shipments, adminKeys.auditLog(orderId)])
        void client.invalidateQueries({ queryKey });
    },
  });
}
