// One cache of what the program answered: a fresh one per server render, one per tab in the browser.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '~/api/client';
import { noticeSignedOut } from '~/api/session';

export function createQueryClient(onServer: boolean): QueryClient {
  const onError = (error: unknown) => noticeSignedOut(client, error);
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // A 4xx will not get better by asking again.
        retry: (failures, error) =>
          !(error instanceof ApiError && error.status >= 400 && error.status < 500) && failures < 2,
        refetchOnWindowFocus: false,
        // The engine of the server render has no timers, and the cache dies with the render anyway.
        ...(onServer ? { gcTime: Number.POSITIVE_INFINITY } : {}),
      },
      mutations: onServer ? { gcTime: Number.POSITIVE_INFINITY } : {},
    },
  });
  return client;
}
