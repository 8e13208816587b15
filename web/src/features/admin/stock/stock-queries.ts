// Stock: what is there, the ledger of a product, counting, receiving and writing off, and batches.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, post } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { BatchInput, DeliveryInput, StockMovementInput } from '~/api/types';
import { plural } from '~/lib/format';
import { toast } from '~/ui/feedback/toast';

export const LEDGER_ROWS_PER_PAGE = 20;
const POLL_MS = 30_000;

export const stockQuery = queryOptions({
  queryKey: adminKeys.stock,
  queryFn: () => get('/api/admin/stock', { fallback: 'Failed to fetch the stock' }),
  staleTime: 2_000,
  refetchInterval: POLL_MS,
  retry: false,
});

export const ledgerQuery = (productId: string, page: number) =>
  queryOptions({
    queryKey: adminKeys.stockLedger(productId, page),
    queryFn: () =>
      get('/api/admin/stock/{productId}/movements', {
        path: { productId },
        query: { page, limit: LEDGER_ROWS_PER_PAGE },
        fallback: 'Failed to fetch the ledger',
      }),
    placeholderData: keepPreviousData,
    staleTime: 2_000,
    retry: false,
  });

export const batchesQuery = queryOptions({
  queryKey: adminKeys.batches,
  queryFn: () => get('/api/admin/batches', { fallback: 'Failed to fetch batches' }).then(({ batches }) => batches),
  staleTime: 2_000,
  retry: false,
});

export const recipientsQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.batchRecipients(id),
    queryFn: () =>
      get('/api/admin/batches/{id}/recipients', { path: { id }, fallback: 'Failed to fetch who got the batch' }),
    staleTime: 2_000,
    retry: false,
  });

const doneTexts: Record<StockMovementInput['kind'], string> = {
  count: 'Count saved',
  receive: 'Stock received',
  writeOff: 'Written off',
};

/** `keyOf` makes a repeated request safe. */
export function useMoveStock(productId: string, keyOf: (body: StockMovementInput) => string) {
  const reload = useReload();
  return useMutation({
    mutationFn: (body: StockMovementInput) =>
      post('/api/admin/stock/{productId}/movements', {
        path: { productId },
        body,
        headers: { 'Idempotency-Key': keyOf(body) },
        fallback: 'Failed to change the stock',
      }),
    onSuccess: (_response, { kind }) => toast.success(doneTexts[kind]),
    // Also after an error: the stock may have changed.
    onSettled: reload,
  });
}

export function useAddBatch(keyOf: (body: BatchInput) => string) {
  const reload = useReload();
  return useMutation({
    mutationFn: (body: BatchInput) =>
      post('/api/admin/batches', {
        body,
        headers: { 'Idempotency-Key': keyOf(body) },
        fallback: 'Failed to record the batch',
      }),
    onSuccess: ({ batch }) => toast.success(`Batch ${batch.number} recorded`),
    onSettled: reload,
  });
}

export function useReceiveDelivery(keyOf: (body: DeliveryInput) => string) {
  const reload = useReload();
  return useMutation({
    mutationFn: (body: DeliveryInput) =>
      post('/api/admin/stock/deliveries', {
        body,
        headers: { 'Idempotency-Key': keyOf(body) },
        fallback: 'Failed to receive the delivery',
      }),
    onSuccess: (_response, { lines }) => toast.success(`Delivery received: ${plural(lines.length, 'product')}`),
    onSettled: reload,
  });
}

function useReload() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: adminKeys.products });
    void client.invalidateQueries({ queryKey: adminKeys.auditLogs });
    return client.invalidateQueries({ queryKey: adminKeys.stock });
  };
}
