// Keeps the counts of what is to do and the lists behind them together, and loads emails that were not delivered.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import { toDoQuery } from '../console/to-do-query';

export const failedEmailsQuery = queryOptions({
  queryKey: adminKeys.failedEmails,
  queryFn: () => get('/api/admin/failed-emails', { fallback: 'Failed to fetch emails' }).then(({ emails }) => emails),
  staleTime: 5_000,
  retry: false,
});

/** The lists that have what is counted. Not messages: one that is read stays in the list of unread ones while it is read. */
const LISTS = [
  adminKeys.orders,
  adminKeys.orderIssues,
  adminKeys.shipments,
  adminKeys.problems,
  adminKeys.stock,
  adminKeys.failedEmails,
];

/**
 * Counts again after every change, also after one that failed: another admin may have been faster. When the counts are
 * others than before, the lists are loaded again.
 */
export function useRefreshToDo(): void {
  const client = useQueryClient();
  useEffect(() => {
    const countAgain = client.getMutationCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      if (event.action.type === 'success' || event.action.type === 'error')
        void client.invalidateQueries({ queryKey: adminKeys.toDo, exact: true });
    });
    let counted = client.getQueryData(toDoQuery.queryKey);
    const listAgain = client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey.join() !== adminKeys.toDo.join()) return;
      const counts = client.getQueryData(toDoQuery.queryKey);
      // Equal counts stay the same object.
      if (counts === counted) return;
      const isFirst = counted === undefined;
      counted = counts;
      if (!isFirst) for (const queryKey of LISTS) void client.invalidateQueries({ queryKey });
    });
    return () => {
      countAgain();
      listAgain();
    };
  }, [client]);
}
