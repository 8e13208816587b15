// What a list of products shows. A shop of ordinary size is here whole and is narrowed at once; of one with more products
// than anybody reads, the program narrows it and a part comes at a time.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { filters, isWhole, shelfPart, shelfStart } from '~/api/catalogue';
import { notify } from '~/ui/notify';
import { categoriesOf, FIRST_PART, shownProducts } from './filtering';

/** The program gives no more than this at once. */
const LAST_PART = 960;

/** The categories that can be chosen; if need be, those of the products that are here. */
export function useCategories(): string[] {
  const filter = useQuery(filters);
  const start = useQuery(shelfStart);
  return filter.data?.categories ?? categoriesOf(start.data?.products ?? []);
}

export function useShelf(search: string, chosen: string[]) {
  const start = useQuery(shelfStart);
  const large = start.data !== undefined && !isWhole(start.data);
  const question = JSON.stringify([search, chosen]);
  const [asked, setAsked] = useState({ question, limit: FIRST_PART });
  const limit = asked.question === question ? asked.limit : FIRST_PART;
  const part = useQuery({ ...shelfPart(search, chosen, limit), enabled: large, placeholderData: keepPreviousData });
  useErrorToast(large ? part : start);

  if (!large) {
    const products = start.data?.products ?? [];
    const shown = shownProducts(products, search, chosen);
    return { ...state(start), products: shown, total: shown.length, more: null };
  }
  const { products, total } = part.data ?? { products: [], total: 0 };
  const more =
    products.length < total && limit < LAST_PART
      ? { busy: part.isPlaceholderData, show: () => setAsked({ question, limit: limit + FIRST_PART }) }
      : null;
  return { ...state(part), products, total, more };
}

/** Each failure is also a toast: a retry that fails again says so again. */
function useErrorToast({ isError, errorUpdatedAt }: Pick<ReturnType<typeof useQuery>, 'isError' | 'errorUpdatedAt'>) {
  useEffect(() => {
    if (isError && errorUpdatedAt) notify.error('Failed to load products', { id: 'products' });
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
