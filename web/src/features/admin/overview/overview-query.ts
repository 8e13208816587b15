// The figures of some days.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';

export const overviewQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: adminKeys.overview(from, to),
    queryFn: () => get('/api/admin/overview', { query: { from, to }, fallback: 'Failed to fetch the overview' }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });
