// The answer to a customer who asks to cancel a packed order.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { put } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { CancellationDecisionInput } from '~/api/types';
import { toast } from '~/ui/feedback/toast';

export function useDecideCancellation(orderId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CancellationDecisionInput) =>
      put('/api/admin/orders/{id}/cancellation', {
        path: { id: orderId },
        body,
        fallback: 'Failed to save the answer',
      }),
    onSuccess: (_response, { accept }) => toast.success(accept ? 'Order cancelled' : 'Cancellation declined'),
    // Also after an error: another admin may have answered.
    onSettled: () => {
      const keys = [adminKeys.orders, adminKeys.shipments, adminKeys.toDo, adminKeys.auditLog(orderId)];
      for (const queryKey of keys) void client.invalidateQueries({ queryKey });
    },
  });
}
