// Discount codes: the list with what they brought, and saving one.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { get, post, put } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { Discount, DiscountInput } from '~/api/types';
import { toast } from '~/ui/feedback/toast';

export const discountsQuery = queryOptions({
  queryKey: adminKeys.discounts,
  queryFn: () => get('/api/admin/discounts', { fallback: 'Failed to fetch discounts' }).then((body) => body.discounts),
  staleTime: 5_000,
  retry: false,
});

const MAX_FOUND_PRODUCTS = 12;

/** The first products that match, for choosing what a code is for. */
export const productChoiceQuery = (search: string) =>
  queryOptions({
    queryKey: adminKeys.productPage(search, 1, MAX_FOUND_PRODUCTS),
    queryFn: () =>
      get('/api/admin/products', {
        query: { search, page: 1, limit: MAX_FOUND_PRODUCTS },
        fallback: 'Failed to fetch products',
      }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });

/** Adds a code without `id`, changes one with it. */
export function useSaveDiscount(id: string | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: DiscountInput) =>
      id === undefined
        ? post('/api/admin/discounts', { body, fallback: 'Failed to add the code' })
        : put('/api/admin/discounts/{id}', { path: { id }, body, fallback: 'Failed to save the code' }),
    onSuccess: ({ discount }) => {
      toast.success(id === undefined ? `${discount.code} added` : `${discount.code} saved`);
      client.setQueryData(discountsQuery.queryKey, (held) =>
        held?.some(({ _id }) => _id === discount._id)
          ? held.map((one) => (one._id === discount._id ? discount : one))
          : [discount, ...(held ?? [])],
      );
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: adminKeys.discounts });
      void client.invalidateQueries({ queryKey: adminKeys.auditLogs });
    },
  });
}

/** The request that leaves everything else as it is. */
export function discountInput(discount: Discount): DiscountInput {
  const { code, kind, value, maxUses, oncePerCustomer, firstOrderOnly, minTotal } = discount;
  const { categories, products, from, to, active } = discount;
  return {
    code,
    kind,
    value,
    maxUses,
    oncePerCustomer,
    firstOrderOnly,
    minTotal,
    categories,
    products,
    from,
    to,
    active,
  };
}
