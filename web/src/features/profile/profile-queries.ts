// Queries and mutations of the user's profile. A change also updates the name and image in the header.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { get, put } from '~/api/client';
import { hasCode } from '~/api/error';
import { userKeys } from '~/api/queries/query-keys';
import type { User, UserResponse } from '~/api/types';
import { currentUserQuery, useSession } from '~/shared/auth/session';
import { toast } from '~/ui/feedback/toast';
import type { ProfileValues } from './profile-form-model';

const profileQuery = queryOptions({
  queryKey: userKeys.profile,
  queryFn: () => get('/api/user/profile', { fallback: 'Failed to load profile' }).then((body) => body.user),
  staleTime: 30_000,
  retry: false,
});

export function useProfile() {
  const { authenticated } = useSession();
  return useQuery({ ...profileQuery, enabled: authenticated === true });
}

export function useSaveProfile() {
  const setProfile = useSetProfile();
  return useMutation({
    mutationFn: (body: ProfileValues) => put('/api/user/profile', { body, fallback: 'Failed to update profile' }),
    onSuccess: (response) => {
      setProfile(response);
      toast.success('Profile updated successfully');
    },
    onError: () => toast.error('Failed to update profile'),
  });
}

export function useSavePicture() {
  const setProfile = useSetProfile();
  return useMutation({
    mutationFn: (profilePicture: string) =>
      put('/api/user/profile-picture', { body: { profilePicture }, fallback: 'Failed to update profile picture' }),
    onSuccess: (response) => {
      setProfile(response);
      toast.success('Profile picture updated successfully');
    },
    onError: (error) => {
      // The user can do something about these, so the server's message is shown.
      const isLimit = hasCode(error, 'too_large', 'image_too_large', 'rate_limited');
      const why = isLimit ? `: ${error.message}` : '';
      toast.error(`Failed to update profile picture${why}`);
    },
  });
}

function useSetProfile() {
  const client = useQueryClient();
  return ({ user }: UserResponse) => {
    client.setQueryData<User>(userKeys.profile, user);
    void client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
  };
}
