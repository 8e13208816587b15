// The audit log, newest first. Never cached: another admin may have changed something.

import { queryOptions } from '@tanstack/react-query';
import { apiGet } from '~/api/client';
import { adminKeys } from '~/api/query-keys';
import { buildQuery } from '~/api/query-string';
import type { AuditEntry } from '~/api/types';

export const auditLogQuery = (about: string) =>
  queryOptions({
    queryKey: adminKeys.auditLog(about),
    queryFn: () =>
      apiGet<{ entries: AuditEntry[] }>(`/api/admin/audit${buildQuery({ about })}`, 'Failed to fetch history').then(
        (body) => body.entries,
      ),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
