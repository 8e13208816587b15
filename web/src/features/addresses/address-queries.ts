// Queries and mutations of the user's addresses. Every change reloads the list, because a new default address replaces
// the old one.
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { del, get, patch, post, put } from '~/api/client';
import { userKeys } from '~/api/queries/query-keys';
import type { Address } from '~/api/types';
import { useSession } from '~/shared/auth/session';
import { toast } from '~/ui/feedback/toast';
import type { AddressValues } from './address-form-model';

const addressesQuery = queryOptions({
  queryKey: userKeys.addresses,
  queryFn: () => get('/api/addresses', { fallback: 'Failed to load addresses' }).then((body) => body.addresses),
  staleTime: 30_000,
  retry: false,
});

export function useAddresses() {
  const { authenticated } = useSession();
  const query = useQuery({ ...addressesQuery, enabled: authenticated === true });
  useEffect(() => {
    if (query.isError) toast.error('Failed to load addresses', { id: 'addresses-load' });
  }, [query.isError]);
  return {
    addresses: (authenticated && query.data) || [],
    loading: query.isPending,
    failed: query.isError && !query.data,
    retry: query.refetch,
  };
}

/** Creates without `id`, updates with one. */
export function useSaveAddress(onSaved: (address: Address) => void) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id, values }: { id: string | undefined; values: AddressValues }) =>
      id
        ? put('/api/addresses/{id}', { path: { id }, body: values, fallback: 'Failed to update address' })
        : post('/api/addresses', { body: values, fallback: 'Failed to add address' }),
    onSuccess: async ({ address }, { id }) => {
      await refresh();
      toast.success(id ? 'Address updated successfully' : 'Address added successfully');
      onSaved(address);
    },
    onError: (_error, { id }) => toast.error(id ? 'Failed to update address' : 'Failed to add address'),
  });
}

export function useDeleteAddress() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => del('/api/addresses/{id}', { path: { id }, fallback: 'Failed to delete address' }),
    onSuccess: async () => {
      await refresh();
      toast.success('Address deleted successfully');
    },
    onError: () => toast.error('Failed to delete address'),
  });
}

export function useDefaultAddress() {
  const client = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) =>
      patch('/api/addresses/{id}/default', { path: { id }, fallback: 'Failed to set default address' }),
    onMutate: async (id) => {
      await client.cancelQueries({ queryKey: userKeys.addresses });
      const before = client.getQueryData<Address[]>(userKeys.addresses);
      client.setQueryData<Address[]>(userKeys.addresses, (list) =>
        list?.map((each) => ({ ...each, isDefault: each._id === id })),
      );
      return { before };
    },
    onSuccess: () => toast.success('Default address updated'),
    onError: (_error, _id, context) => {
      client.setQueryData(userKeys.addresses, context?.before);
      toast.error('Failed to set default address');
    },
    onSettled: () => refresh(),
  });
}

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: userKeys.addresses });
}
