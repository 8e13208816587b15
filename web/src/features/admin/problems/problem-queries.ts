// Problems that customers reported: the list, and what is done about one.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, put } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { ProblemAction } from '~/api/types';
import { toast } from '~/ui/feedback/toast';
import { PROBLEMS_PER_PAGE, type ProblemFilter } from './problem-filter';

const FETCH_FAILED = 'Failed to fetch problems';

export const problemsQuery = (state: ProblemFilter, page: number) =>
  queryOptions({
    queryKey: adminKeys.problemPage(state, page),
    queryFn: () =>
      get('/api/admin/problems', { query: { state, page, limit: PROBLEMS_PER_PAGE }, fallback: FETCH_FAILED }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: 60_000,
    retry: false,
  });

/** The order of a problem, for the amount of its packs. None if it was deleted. */
export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.order(id),
    queryFn: () =>
      get('/api/admin/orders', { query: { orderId: id, limit: 1 }, fallback: 'Failed to fetch the order' }),
    select: ({ orders }) => orders[0] ?? null,
    retry: false,
  });

type Resolution = { action: ProblemAction; message: string; amount?: number; evenIfRepeated?: boolean };

const doneTexts: Record<ProblemAction, string> = {
  replace: 'Replacement ordered',
  refund: 'Refund requested',
  decline: 'Report declined',
};

export function useResolveProblem(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Resolution) =>
      put('/api/admin/problems/{id}', { path: { id }, body, fallback: 'Failed to resolve the problem' }),
    onSuccess: (_response, { action }) => toast.success(doneTexts[action]),
    // Also after an error: another admin may have resolved it.
    onSettled: () => {
      for (const queryKey of [adminKeys.problems, adminKeys.orders]) void client.invalidateQueries({ queryKey });
    },
  });
}
