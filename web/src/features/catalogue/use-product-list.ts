// Products for a list page. Up to 96 products are filtered in the browser; larger catalogues are filtered and paged by the
// server. A search is sent to the server as well: it finds other spellings, synonyms and ingredients.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { filtersQuery, firstProductsQuery, isComplete, productListQuery } from '~/api/queries/catalogue';
import type { ProductListResponse } from '~/api/types';
import { READ_AS_TYPED, type SearchReading } from '~/shared/product/search-reading';
import { toast } from '~/ui/feedback/toast';
import { type CategoryCount, categoryCounts, filterProducts } from './filtering';
import { isForgiving, PAGE_SIZE, SMALL_CATALOGUE } from './page-size';
import type { Sort } from './sort';
import { sortProducts } from './sorting';

/** The server's limit for one response. */
const MAX_PRODUCTS = 960;

/** The categories to choose from; those of the loaded products while the list of categories is not there. */
export function useCategories(): CategoryCount[] {
  const filter = useQuery(filtersQuery);
  const start = useQuery(firstProductsQuery);
  const { categories, counts } = filter.data ?? {};
  return (
    categories?.map((name, at) => ({ name, count: counts?.[at] ?? 0 })) ?? categoryCounts(start.data?.products ?? [])
  );
}

/** Without `sort`, in the order in which the products came into the shop. */
export function useProductList(search: string, chosen: string[], sort?: Sort) {
  const start = useQuery(firstProductsQuery);
  const isPaged = start.data !== undefined && !isComplete(start.data);
  const filterKey = JSON.stringify([search, chosen, sort]);
  const [requested, setRequested] = useState({ filterKey, limit: PAGE_SIZE });
  const pageLimit = requested.filterKey === filterKey ? requested.limit : PAGE_SIZE;
  const limit = isPaged ? pageLimit : SMALL_CATALOGUE;
  const part = useQuery({
    ...productListQuery(search, chosen, sort ?? '', limit),
    enabled: isPaged || isForgiving(search),
    placeholderData: keepPreviousData,
  });
  useErrorToast(isPaged ? part : start);

  if (!isPaged) {
    const products = start.data?.products ?? [];
    const found = filterProducts(products, search, chosen);
    const shown = sort ? sortProducts(found, sort) : found;
    const local = { ...state(start), products: shown, total: shown.length, more: null, reading: READ_AS_TYPED };
    // What contains the text is shown at once, and stays at the top of what the server finds.
    const isWaiting = part.isPlaceholderData || part.isPending;
    if (!isForgiving(search) || part.isError || start.isPending || (isWaiting && shown.length > 0)) return local;
    if (!part.data) return { ...local, isPending: part.fetchStatus === 'fetching' };
    return { ...local, products: part.data.products, total: part.data.total, reading: readingOf(part.data) };
  }
  const { products, total } = part.data ?? { products: [], total: 0 };
  const more =
    products.length < total && limit < MAX_PRODUCTS
      ? { busy: part.isPlaceholderData, show: () => setRequested({ filterKey, limit: limit + PAGE_SIZE }) }
      : null;
  return { ...state(part), products, total, more, reading: part.data ? readingOf(part.data) : READ_AS_TYPED };
}

const readingOf = ({ correctedTo, partialMatch }: ProductListResponse): SearchReading => ({
  correctedTo,
  partialMatch,
});

/** Shows a toast for each error, also for that of a retry. */
function useErrorToast({ isError, errorUpdatedAt }: Pick<ReturnType<typeof useQuery>, 'isError' | 'errorUpdatedAt'>) {
  useEffect(() => {
    if (isError && errorUpdatedAt) toast.error('Failed to load products', { id: 'products' });
  }, [isError, errorUpdatedAt]);
}

const state = ({
  isPending,
  isError,
  refetch,
}: Pick<ReturnType<typeof useQuery>, 'isPending' | 'isError' | 'refetch'>) => ({
  isPending,
  isError,
  refetch: () => void refetch(),
});
