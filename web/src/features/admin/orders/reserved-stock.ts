// Unpaid orders that reserve stock, and releasing one.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { apiGet, apiSend, errorMessage } from '~/api/client';
import { adminKeys } from '~/api/query-keys';
import type { Order, ReservedStock } from '~/api/types';
import { formatNumber } from '~/ui/format';
import { toast } from '~/ui/toast';

export const reservedStockQuery = queryOptions({
  queryKey: adminKeys.reservedStock,
  queryFn: () => apiGet<ReservedStock>('/api/admin/reserved-stock', 'Failed to fetch reserved stock'),
  staleTime: 10_000,
  refetchInterval: 30_000,
  retry: false,
});

export function useReleaseStock() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      apiSend<{ order: Order }>(
        `/api/admin/orders/${encodeURIComponent(id)}/release`,
        { method: 'POST', body: {} },
        'Failed to release the stock',
      ),
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
