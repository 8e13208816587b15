// Who is here. Nothing of it is known during a server render: pages are the same for everyone, the person arrives
// after hydration. `authenticated` is null while unknown and after a failed check.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { ApiError, apiGet, apiSend } from './client';
import type { User } from './types';

export const authCheck = queryOptions({
  queryKey: ['auth'],
  queryFn: () => apiGet<{ authenticated: boolean }>('/api/auth/check-auth', 'Failed to check sign-in'),
  select: (body) => body.authenticated,
  staleTime: 60_000,
  retry: false,
  refetchOnWindowFocus: 'always',
});

export const userInfo = queryOptions({
  queryKey: ['auth', 'user'],
  queryFn: () => apiGet<{ user: User }>('/api/userinfo', 'Failed to load your account'),
  select: (body) => body.user,
  staleTime: 60_000,
  retry: false,
  refetchOnWindowFocus: 'always',
});

export type Session = { authenticated: boolean | null; checking: boolean; user: User | null };

export function useSession(): Session {
  const hydrated = useHydrated();
  const check = useQuery(authCheck);
  const authenticated = !hydrated || check.isError ? null : (check.data ?? null);
  const info = useQuery({ ...userInfo, enabled: authenticated === true });
  return {
    authenticated,
    checking: !hydrated || check.isPending,
    user: authenticated ? (info.data ?? null) : null,
  };
}

/** The same, asked at the moment of a click: a page that only needs it then is not rendered anew when it is known. */
export function authenticatedNow(client: QueryClient): boolean | null {
  const state = client.getQueryState<{ authenticated: boolean }>(authCheck.queryKey);
  return state?.status === 'success' ? (state.data?.authenticated ?? null) : null;
}

/**
 * Whether this part of the page has been taken over. Parts are taken over one after the other; on a slow phone the
 * header may know the person before the page below it is, and that page must first be what the server rendered.
 */
function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
const neverChanges = () => () => undefined;

/** Signing in happens at Google, so the browser leaves the page; `add` lists packs to be in the cart afterwards. */
export function signInUrl(returnTo: string, add?: string): string {
  const target = `/api/auth/google/login?returnTo=${encodeURIComponent(returnTo)}`;
  return add ? `${target}&add=${encodeURIComponent(add)}` : target;
}

/** Clears what is known of the person, here and in the shop's other tabs, then leaves through the program's sign-out. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  return () => {
    forgetPerson(client);
    tellOtherTabs();
    window.location.assign('/api/auth/logout');
  };
}

/** Ends every session of this person, on every device, this one too. */
export function useSignOutEverywhere(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await apiSend('/api/auth/logout-everywhere', { method: 'POST' }, 'Failed to sign out everywhere');
    forgetPerson(client);
    tellOtherTabs();
  };
}

/** Erases the person's account; nobody is signed in afterwards. */
export function useForgetMe(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await apiSend('/api/user', { method: 'DELETE' }, 'Failed to delete your account');
    forgetPerson(client);
    tellOtherTabs();
  };
}

/**
 * Keeps every tab true to who is signed in. Stands once, in the frame of the app, as a leaf: who renders anew while the
 * page below is still being taken over makes React take over all of it at once.
 */
export function SessionSync(): null {
  const client = useQueryClient();
  const { user } = useSession();
  const personId = user?._id ?? null;
  const lastPerson = useRef<string | null>(null);

  useEffect(() => {
    const channel = sessionChannel();
    if (!channel) return;
    channel.onmessage = () => forgetPerson(client);
    return () => channel.close();
  }, [client]);

  // Somebody else signed in from another tab: what we hold belongs to the person before.
  useEffect(() => {
    if (!personId) return;
    if (lastPerson.current && lastPerson.current !== personId) {
      for (const queryKey of THEIRS) void client.resetQueries({ queryKey });
    }
    lastPerson.current = personId;
  }, [client, personId]);
  return null;
}

/** A 401 from any call means that the session has ended, wherever it was ended. */
export function noticeSignedOut(client: QueryClient, error: unknown): void {
  if (error instanceof ApiError && error.status === 401) forgetPerson(client);
}

const THEIRS = [['cart'], ['wishlist'], ['addresses'], ['profile'], ['orders'], ['payment'], ['admin']];

function forgetPerson(client: QueryClient): void {
  // An answer that is still on its way would bring the person back.
  void client.cancelQueries({ queryKey: ['auth'] });
  client.setQueryData(['auth'], { authenticated: false });
  for (const queryKey of [['auth', 'user'], ...THEIRS]) client.removeQueries({ queryKey });
}

function sessionChannel(): BroadcastChannel | null {
  return typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('session');
}

function tellOtherTabs(): void {
  const channel = sessionChannel();
  channel?.postMessage('signed-out');
  channel?.close();
}
