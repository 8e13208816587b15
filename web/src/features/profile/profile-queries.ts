// The person's profile as the program keeps it. A change also renews the name and picture in the header.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, apiGet, apiSend } from '~/api/client';
import { userInfo, useSession } from '~/api/session';
import type { User } from '~/api/types';
import { notify } from '~/ui/notify';
import type { ProfileValues } from './profile-rules';

const KEY = ['profile'] as const;
type ProfileAnswer = { user: User };

const profileQuery = queryOptions({
  queryKey: KEY,
  queryFn: () => apiGet<ProfileAnswer>('/api/user/profile', 'Failed to load profile').then((body) => body.user),
  staleTime: 30_000,
  retry: false,
});

export function useProfile() {
  const { authenticated } = useSession();
  return useQuery({ ...profileQuery, enabled: authenticated === true });
}

export function useSaveProfile() {
  const keep = useKeep();
  return useMutation({
    mutationFn: (body: ProfileValues) =>
      apiSend<ProfileAnswer>('/api/user/profile', { method: 'PUT', body }, 'Failed to update profile'),
    onSuccess: (answer) => {
      keep(answer);
      notify.success('Profile updated successfully');
    },
    onError: () => notify.error('Failed to update profile'),
  });
}

export function useSavePicture() {
  const keep = useKeep();
  return useMutation({
    mutationFn: (profilePicture: string) =>
      apiSend<ProfileAnswer>(
        '/api/user/profile-picture',
        { method: 'PUT', body: { profilePicture } },
        'Failed to update profile picture',
      ),
    onSuccess: (answer) => {
      keep(answer);
      notify.success('Profile picture updated successfully');
    },
    // Too large, or too often: the person can do something about it.
    onError: (error) => {
      const why = error instanceof ApiError && [413, 429].includes(error.status) ? `: ${error.message}` : '';
      notify.error(`Failed to update profile picture${why}`);
    },
  });
}

function useKeep() {
  const client = useQueryClient();
  return ({ user }: ProfileAnswer) => {
    client.setQueryData<User>(KEY, user);
    void client.invalidateQueries({ queryKey: userInfo.queryKey });
  };
}
