// The ways in which a user signs out. Loaded with the controls that offer them.
import { useQueryClient } from '@tanstack/react-query';
import { del, post } from '~/api/client';
import { clearUserData, notifyOtherTabs } from './session';

/** Clears user data in this and all other tabs, then navigates to the server's sign-out. */
export function useSignOut(): () => void {
  const client = useQueryClient();
  return () => {
    clearUserData(client);
    notifyOtherTabs();
    window.location.assign('/api/auth/logout');
  };
}

/** Ends all sessions of the user, on every device, this one too. */
export function useSignOutEverywhere(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await post('/api/auth/logout-everywhere', { fallback: 'Failed to sign out everywhere' });
    clearUserData(client);
    notifyOtherTabs();
  };
}

/** Deletes the user's account and signs out. */
export function useDeleteAccount(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await del('/api/user', { fallback: 'Failed to delete your account' });
    clearUserData(client);
    notifyOtherTabs();
  };
}
