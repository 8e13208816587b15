// One customer with everything about them, for the customer's page and for the page of an order.
import { queryOptions } from '@tanstack/react-query';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';

export const customerQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.customer(id),
    queryFn: () => get('/api/admin/customers/{id}', { path: { id }, fallback: 'Failed to fetch the customer' }),
    staleTime: 5_000,
    retry: false,
  });
