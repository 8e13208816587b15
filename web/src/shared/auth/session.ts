// The session of the user. A server render knows nothing of it: pages are the same for everyone, user data is loaded
// after hydration. `authenticated` is null while unknown and after a failed check.
import { hashKey, type Query, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { get } from '~/api/client';
import { isUnauthorized } from '~/api/error';
import { publicKeys, userKeys } from '~/api/queries/query-keys';
import type { User } from '~/api/types';

export const authStatusQuery = queryOptions({
  queryKey: publicKeys.authStatus,
  queryFn: () => get('/api/auth/check-auth', { fallback: 'Failed to check sign-in' }),
  select: (body) => body.authenticated,
  staleTime: 60_000,
  retry: false,
  refetchOnWindowFocus: 'always',
});

export const currentUserQuery = queryOptions({
  queryKey: userKeys.current,
  queryFn: () => get('/api/userinfo', { fallback: 'Failed to load your account' }),
  select: (body) => body.user,
  staleTime: 60_000,
  retry: false,
  refetchOnWindowFocus: 'always',
});

export type Session = { authenticated: boolean | null; checking: boolean; user: User | null };

export function useSession(): Session {
  const hydrated = useHydrated();
  const check = useQuery(authStatusQuery);
  const authenticated = !hydrated || check.isError ? null : (check.data ?? null);
  const info = useQuery({ ...currentUserQuery, enabled: authenticated === true });
  return {
    authenticated,
    checking: !hydrated || check.isPending,
    user: authenticated ? (info.data ?? null) : null,
  };
}

/** The same for event handlers: a component that needs it only there does not render again when it changes. */
export function isAuthenticated(client: QueryClient): boolean | null {
  const state = client.getQueryState<{ authenticated: boolean }>(authStatusQuery.queryKey);
  return state?.status === 'success' ? (state.data?.authenticated ?? null) : null;
}

/**
 * Whether this part of the page has been hydrated. Parts are hydrated one after the other; on a slow phone the header may
 * know the user before the page below it is hydrated, and that page must first match what the server rendered.
 */
function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
const neverChanges = () => () => undefined;

/** Signing in happens at Google, so the browser leaves the page; `add` names packs to add to the cart afterwards. */
export function signInUrl(returnTo: string, add?: string): string {
  const target = `/api/auth/google/login?returnTo=${encodeURIComponent(returnTo)}`;
  return add ? `${target}&add=${encodeURIComponent(add)}` : target;
}

/**
 * Clears user data when another tab signs out or another user signs in, and notices a sign-in in another tab. Rendered
 * once, as a leaf of the app's layout: a
 * component that renders again above a page that is still being hydrated makes React hydrate all of it at once.
 */
export function SessionSync(): null {
  const client = useQueryClient();
  const { user } = useSession();
  const userId = user?._id ?? null;
  const lastUserId = useRef<string | null>(null);

  useEffect(() => {
    const channel = sessionChannel();
    if (!channel) return;
    channel.onmessage = ({ data: signedInId }: MessageEvent<string>) => {
      if (signedInId === SIGNED_OUT) return clearUserData(client);
      if (signedInId === lastUserId.current) return;
      // Another tab has signed in: the cookie is shared.
      void client.invalidateQueries({ queryKey: publicKeys.authStatus });
      void client.invalidateQueries({ queryKey: userKeys.current });
    };
    return () => channel.close();
  }, [client]);

  useEffect(() => {
    if (userId) notifyOtherTabs(userId);
  }, [userId]);

  // Another user signed in from another tab: the cached data belongs to the previous one.
  useEffect(() => {
    if (!userId) {
      lastUserId.current = null;
      return;
    }
    if (lastUserId.current && lastUserId.current !== userId) {
      const isOld = ({ queryHash }: Query) => queryHash !== hashKey(userKeys.current);
      void client.resetQueries({ queryKey: userKeys.all, predicate: isOld });
    }
    lastUserId.current = userId;
  }, [client, userId]);
  return null;
}

/** A 401 from any request means that the session has ended. */
export function handleUnauthorized(client: QueryClient, error: unknown): void {
  if (isUnauthorized(error)) clearUserData(client);
}

export function clearUserData(client: QueryClient): void {
  // A response that is still under way would overwrite this.
  void client.cancelQueries({ queryKey: publicKeys.authStatus });
  client.setQueryData(publicKeys.authStatus, { authenticated: false });
  client.removeQueries({ queryKey: userKeys.all });
}

function sessionChannel(): BroadcastChannel | null {
  return typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session');
}

const SIGNED_OUT = '';

/** With the id of the user who is signed in now. */
export function notifyOtherTabs(userId: string = SIGNED_OUT): void {
  const channel = sessionChannel();
  channel?.postMessage(userId);
  channel?.close();
}
