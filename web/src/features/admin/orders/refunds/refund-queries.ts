// Refunds of orders: requesting one and repeating a failed one.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { post } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import type { RefundInput } from '~/api/types';
import { formatAmount } from '~/lib/format';
import { toast } from '~/ui/feedback/toast';

/**
 * `keyOf` makes a repeated request safe: it returns the first one's refund. The version is not part of the content: the refund
 * of a request whose response was lost has changed it. Neither is a confirmation.
 */
export function useRefundOrder(orderId: string, keyOf: (content: unknown) => string) {
  const reload = useReload(orderId);
  return useMutation({
    mutationFn: (body: RefundInput) => {
      const { version: _seen, evenIfRepeated: _confirmed, ...content } = body;
      return post('/api/admin/orders/{id}/refunds', {
        path: { id: orderId },
        body,
        headers: { 'Idempotency-Key': keyOf(content) },
        fallback: 'Failed to refund the order',
      });
    },
    onSuccess: ({ refund }) => toast.success(`Refund of ${formatAmount(refund.amount)} requested`),
    // Also after an error: another admin may have refunded something.
    onSettled: reload,
  });
}

const RETRY_FAILED = 'Failed to repeat the refund';

export function useRetryRefund(orderId: string) {
  const reload = useReload(orderId);
  return useMutation({
    mutationFn: (id: string) => post('/api/admin/refunds/{id}/retry', { path: { id }, fallback: RETRY_FAILED }),
    onSuccess: ({ refund }) => toast.success(`Refund of ${formatAmount(refund.amount)} requested again`),
    onError: (error) => toast.error(errorMessage(error, RETRY_FAILED)),
    onSettled: reload,
  });
}

function useReload(orderId: string): () => void {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [adminKeys.orders, adminKeys.orderIssues, adminKeys.auditLog(orderId), adminKeys.problems])
      void client.invalidateQueries({ queryKey });
  };
}
