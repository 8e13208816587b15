// The written record of changes, newest first. Never trusted from memory: a colleague may have just added to it.
import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '~/api/client';
import { buildQuery } from '~/api/query-string';
import type { AuditEntry } from '~/api/types';

export const historyQuery = (about: string) =>
  queryOptions({
    queryKey: ['admin', 'history', about],
    queryFn: () =>
      apiGet<{ entries: AuditEntry[] }>(`/api/admin/audit${buildQuery({ about })}`, 'Failed to fetch history').then(
        (body) => body.entries,
      ),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
