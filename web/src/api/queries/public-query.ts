// Queries that need no sign-in. Each is defined once and runs in two places: in the browser with fetch, and in a server
// render with the synchronous reader.
import { type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { get } from '../client';
import { hasCode } from '../error';
import type { PublicPath, RequestOptions, ResponseBody } from '../paths';
import { renderGet } from '../render-client';

type Definition<Path extends PublicPath, Data> = {
  key: readonly ['public', ...unknown[]];
  path: Path;
  request: RequestOptions<Path, 'get'>;
  select: (body: ResponseBody<Path, 'get'>) => Data;
  /** The data to use where the product does not exist and that is not an error. */
  whenNoProduct?: { data: Data };
};

export type PublicQuery<Data> = { queryKey: QueryKey; readForRender: () => Data };
/** Any public query, for lists of queries with different data. */
export type AnyPublicQuery = PublicQuery<unknown>;

const STALE_TIME_MS = 30_000;

export function publicQuery<Path extends PublicPath, Data>(definition: Definition<Path, Data>) {
  const { key, path, request, select, whenNoProduct } = definition;
  const orNotFound = (error: unknown): Data => {
    if (whenNoProduct && hasCode(error, 'product_not_found')) return whenNoProduct.data;
    throw error;
  };
  const options = queryOptions({
    queryKey: key,
    queryFn: () => get(path, request).then(select).catch(orNotFound),
    staleTime: STALE_TIME_MS,
  });
  const readForRender = (): Data => {
    try {
      return select(renderGet(path, request));
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
