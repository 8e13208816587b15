// Queries and mutations of the user's profile. A change also updates the name and image in the header.

import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, apiGet, apiSend } from '~/api/client';
import { userKeys } from '~/api/query-keys';
import type { User } from '~/api/types';
import { currentUserQuery, useSession } from '~/shared/auth/session';
import { toast } from '~/ui/toast';
import type { ProfileValues } from './profile-form-model';

type ProfileResponse = { user: User };

const profileQuery = queryOptions({
  queryKey: userKeys.profile,
  queryFn: () => apiGet<ProfileResponse>('/api/user/profile', 'Failed to load profile').then((body) => body.user),
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
    mutationFn: (body: ProfileValues) =>
      apiSend<ProfileResponse>('/api/user/profile', { method: 'PUT', body }, 'Failed to update profile'),
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
      apiSend<ProfileResponse>(
        '/api/user/profile-picture',
        { method: 'PUT', body: { profilePicture } },
        'Failed to update profile picture',
      ),
    onSuccess: (response) => {
      setProfile(response);
      toast.success('Profile picture updated successfully');
    },
    // Too large, or too many requests: the user can do something about it.
    onError: (error) => {
      const why = error instanceof ApiError && [413, 429].includes(error.status) ? `: ${error.message}` : '';
      toast.error(`Failed to update profile picture${why}`);
    },
  });
}

function useSetProfile() {
  const client = useQueryClient();
  return ({ user }: ProfileResponse) => {
    client.setQueryData<User>(userKeys.profile, user);
    void client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
  };
}
