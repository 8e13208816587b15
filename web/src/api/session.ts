// Who is here. Nothing of it is known during a server render: pages are the same for everyone, the person arrives
// after hydration. `authenticated` is null while unknown and after a failed check.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiGet } from './client';
import type { SessionUser } from './types';

export const authCheck = queryOptions({
  queryKey: ['auth'],
  queryFn: () => apiGet<{ authenticated: boolean }>('/api/auth/check-auth', 'Failed to check sign-in'),
  select: (body) => body.authenticated,
  staleTime: 60_000,
  retry: false,
});

export const userInfo = queryOptions({
  queryKey: ['auth', 'user'],
  queryFn: () => apiGet<{ user: SessionUser }>('/api/userinfo', 'Failed to load your account'),
  select: (body) => body.user,
  staleTime: 60_000,
  retry: false,
});

export type Session = { authenticated: boolean | null; checking: boolean; user: SessionUser | null };

export function useSession(): Session {
  const check = useQuery(authCheck);
  const authenticated = check.isError ? null : (check.data ?? null);
  const info = useQuery({ ...userInfo, enabled: authenticated === true });
  return { authenticated, checking: check.isPending, user: authenticated ? (info.data ?? null) : null };
}

/** Signing in happens at Google, so the browser leaves the page; `add` lists packs to be in the cart afterwards. */
export function signInUrl(returnTo: string, add?: string): string {
  const target = `/api/auth/google/login?returnTo=${encodeURIComponent(returnTo)}`;
  return add ? `${target}&add=${encodeURIComponent(add)}` : target;
}

/** Clears what is known of the person, then leaves through the program's sign-out. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  return () => {
    client.setQueryData(['auth'], { authenticated: false });
    client.removeQueries({ queryKey: ['auth', 'user'] });
    client.removeQueries({ queryKey: ['cart'] });
    client.removeQueries({ queryKey: ['wishlist'] });
    window.location.assign('/api/auth/logout');
  };
}
