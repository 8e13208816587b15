// What waits for an admin: one request for all counts, polled once a minute and after every change that is made here.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';

const POLL_MS = 60_000;

export const toDoQuery = queryOptions({
  queryKey: adminKeys.toDo,
  queryFn: () => get('/api/admin/to-do', { fallback: 'Failed to fetch what is to do' }),
  staleTime: 5_000,
  refetchInterval: POLL_MS,
  retry: false,
});

export const failedEmailsQuery = queryOptions({
  queryKey: adminKeys.failedEmails,
  queryFn: () => get('/api/admin/failed-emails', { fallback: 'Failed to fetch emails' }).then(({ emails }) => emails),
  staleTime: 5_000,
  retry: false,
});

/** Counts again after every change: whatever it was, it may have been something that was to do. */
export function useRefreshToDo(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success')
          void client.invalidateQueries({ queryKey: adminKeys.toDo });
      }),
    [client],
  );
}
