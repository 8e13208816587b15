// The query cache: a new one for each server render, one for each tab in the browser.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isClientError } from '~/api/error';
import { handleUnauthorized } from '~/shared/auth/session';

export function createQueryClient(onServer: boolean): QueryClient {
  const onError = (error: unknown) => handleUnauthorized(client, error);
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // Retrying does not help after a 4xx.
        retry: (failures, error) => !isClientError(error) && failures < 2,
        refetchOnWindowFocus: false,
        // The engine of the server render has no timers, and the cache is dropped after the render.
        ...(onServer ? { gcTime: Number.POSITIVE_INFINITY } : {}),
      },
      mutations: {
        // Offline they fail at once. By default they would wait for the connection, and an order could be placed or cancelled
        // long after its button was pressed.
        networkMode: 'always',
        ...(onServer ? { gcTime: Number.POSITIVE_INFINITY } : {}),
      },
    },
  });
  return client;
}
