// What waits for an admin: one request for all counts. The sidebar, the list of what is to do and the filters of the sections
// show these counts, so that they agree.
import { queryOptions } from '@tanstack/react-query';
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
