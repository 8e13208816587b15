// For what has just changed at the program: the next answer must be given after the change.
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Asks anew, even while the first answer is under way: it may have been given before the change, and
 * `invalidateQueries` alone would take it for the new one.
 */
export async function askAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  await client.cancelQueries({ queryKey });
  await client.invalidateQueries({ queryKey });
}
