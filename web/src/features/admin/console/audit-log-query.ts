// The audit log, newest first. Never cached: another admin may have changed something.
import { queryOptions } from '@tanstack/react-query';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';

export const auditLogQuery = (about: string) =>
  queryOptions({
    queryKey: adminKeys.auditLog(about),
    queryFn: () =>
      get('/api/admin/audit', { query: { about }, fallback: 'Failed to fetch history' }).then((body) => body.entries),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
