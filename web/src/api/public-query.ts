// A query that needs no sign-in can run in two places: in the browser through fetch, and in a server render through
// the program. It is written once, here is what makes both out of it.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, apiGet, hostRead } from './client';

type Definition<Body, Data> = {
  key: readonly unknown[];
  path: string;
  fallback: string;
  pick: (body: Body) => Data;
  /** What a 404 means, where it is an answer and not a fault. */
  missing?: Data;
};

export type PublicQuery<Data> = ReturnType<typeof publicQuery<unknown, Data>>;
/** Any public query, for lists of them: what is fetched does not matter there. */
export type AnyPublicQuery = { queryKey: readonly unknown[]; readOnHost: () => unknown };

const FRESH_MS = 30_000;

export function publicQuery<Body, Data>(definition: Definition<Body, Data>) {
  const { key, path, fallback, pick } = definition;
  const orMissing = (error: unknown): Data => {
    if ('missing' in definition && error instanceof ApiError && error.status === 404) {
      return definition.missing as Data;
    }
    throw error;
  };
  const options = queryOptions({
    queryKey: key,
    queryFn: () => apiGet<Body>(path, fallback).then(pick).catch(orMissing),
    staleTime: FRESH_MS,
  });
  const readOnHost = (): Data => {
    try {
      return pick(hostRead<Body>(path, fallback));
    } catch (error) {
      return orMissing(error);
    }
  };
  return { ...options, readOnHost };
}

/**
 * Fills the cache before a server render. A failed read is left out: the page then shows its loading state.
 * One after the other, so that what comes later may depend on what is there already.
 */
export function prefetchOnHost(client: QueryClient, queries: Iterable<AnyPublicQuery>): boolean {
  let complete = true;
  for (const query of queries) {
    try {
      client.setQueryData(query.queryKey, query.readOnHost());
    } catch {
      complete = false;
    }
  }
  return complete;
}
