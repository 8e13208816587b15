// The list of customers for admins, with its filter in the URL.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import { anyText, type FilterOf, keyOf, pageNumber, urlFilter } from '~/lib/router/url-filter';

export const CUSTOMERS_PER_PAGE = 20;

export const SORT_LABELS = { last_order: 'Last order', spent: 'Amount spent' };

export const customersUrl = urlFilter({
  search: anyText,
  sort: keyOf(SORT_LABELS, 'last_order'),
  page: pageNumber,
  customer: anyText,
});
export type CustomersView = FilterOf<typeof customersUrl>;

export const customersQuery = ({ search, sort, page }: CustomersView) =>
  queryOptions({
    queryKey: adminKeys.customerPage({ search, sort, page }),
    queryFn: () =>
      get('/api/admin/customers', {
        query: { search, sort, page, limit: CUSTOMERS_PER_PAGE },
        fallback: 'Failed to fetch customers',
      }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  });
