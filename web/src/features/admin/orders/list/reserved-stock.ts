// Unpaid orders that reserve stock, and releasing one.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, post } from '~/api/client';
import { errorMessage } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import { formatNumber } from '~/lib/format';
import { toast } from '~/ui/feedback/toast';

export const reservedStockQuery = queryOptions({
  queryKey: adminKeys.reservedStock,
  queryFn: () => get('/api/admin/reserved-stock', { fallback: 'Failed to fetch reserved stock' }),
  staleTime: 10_000,
  refetchInterval: 30_000,
  retry: false,
});

export function useReleaseStock() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      post('/api/admin/orders/{id}/release', { path: { id }, fallback: 'Failed to release the stock' }),
    onSuccess: () => toast.success('Stock released!'),
    onError: (error) => toast.error(errorMessage(error, 'Failed to release the stock')),
    // Also after an error: the order may have been paid meanwhile.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: adminKeys.reservedStock });
      void client.invalidateQueries({ queryKey: adminKeys.orders });
    },
  });
}

/** 450 → '450 g', 1804700 → '1,804.70 kg'. */
export function weightText(grams: number): string {
  return grams < 1000 ? `${grams} g` : `${formatNumber(grams / 1000)} kg`;
}
