// Refetching after a change on the server.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Cancels running queries, then invalidates. A response that was requested before the change could otherwise overwrite
 * the new data.
 */
export async function cancelAndInvalidate(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
