// Queries that need no sign-in. Each is defined once and runs in two places: in the browser with fetch, and in a server
// render with the synchronous reader.
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { ApiError, apiGet, renderGet } from './client';

type Definition<Body, Data> = {
  key: readonly ['public', ...unknown[]];
  path: string;
  fallback: string;
  select: (body: Body) => Data;
  /** The data to use for a 404, where that is not an error. */
  whenNotFound?: Data;
};

export type PublicQuery<Data> = ReturnType<typeof publicQuery<unknown, Data>>;
/** Any public query, for lists of queries with different data. */
export type AnyPublicQuery = { queryKey: QueryKey; readForRender: () => unknown };

const STALE_TIME_MS = 30_000;

export function publicQuery<Body, Data>(definition: Definition<Body, Data>) {
  const { key, path, fallback, select } = definition;
  const orNotFound = (error: unknown): Data => {
    if ('whenNotFound' in definition && error instanceof ApiError && error.status === 404) {
      return definition.whenNotFound as Data;
    }
    throw error;
  };
  const options = queryOptions({
    queryKey: key,
    queryFn: () => apiGet<Body>(path, fallback).then(select).catch(orNotFound),
    staleTime: STALE_TIME_MS,
  });
  const readForRender = (): Data => {
    try {
      return select(renderGet<Body>(path, fallback));
    } catch (error) {
      return orNotFound(error);
    }
  };
  return { ...options, readForRender };
}

/**
 * Fills the cache before a server render. A failed read is left out: the page then shows its loading state.
 * Reads run in order, so that later queries may depend on earlier ones.
 */
export function prefetchForRender(client: QueryClient, queries: Iterable<AnyPublicQuery>): boolean {
  let complete = true;
  for (const query of queries) {
    try {
      client.setQueryData(query.queryKey, query.readForRender());
    } catch {
      complete = false;
    }
  }
  return complete;
}
