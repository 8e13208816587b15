// Products as the admin calls give them, hidden ones too. Whatever changes here also changes the shop in this tab.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, apiGet, apiSend, textOf } from '~/api/client';
import { buildQuery } from '~/api/query-string';
import type { Product, ProductPage } from '~/api/types';
import { notify } from '~/ui/notify';
import type { ProductBody } from './product-rules';

export const PRODUCTS_A_PAGE = 24;
const LISTS = ['admin', 'products'] as const;
const ofProduct = (id: string) => `/api/admin/products/${encodeURIComponent(id)}`;

export const productsQuery = (search: string, page: number, limit = PRODUCTS_A_PAGE) =>
  queryOptions({
    queryKey: [...LISTS, search, page, limit],
    queryFn: () =>
      apiGet<ProductPage>(
        `/api/admin/products${buildQuery({ search, page: String(page), limit: String(limit) })}`,
        'Failed to fetch products',
      ),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  });

/** One product as it is now: an edit must start from what is there, not from what the list once said. */
export const freshProduct = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'product', id],
    queryFn: () => readProduct(id),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });

export async function readProduct(id: string): Promise<Product> {
  const found = await apiGet<ProductPage>(
    `/api/admin/products${buildQuery({ search: id })}`,
    'Failed to fetch product',
  );
  const product = found.products.find((each) => each._id === id);
  if (!product) throw new ApiError(404, 'Product not found.');
  return product;
}

/** Adds where there is no `id`, changes where there is one. */
export function useSaveProduct(id: string | undefined) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: ProductBody) => sendProduct(id, body),
    onSuccess: () => {
      notify.success(id ? 'Product updated successfully!' : 'Product added successfully!');
      void refresh();
    },
    onError: (error) => notify.error(textOf(error, 'An error occurred')),
  });
}

export function sendProduct(id: string | undefined, body: ProductBody) {
  return apiSend<{ product: Product }>(
    id ? `/api/admin/updateProduct/${encodeURIComponent(id)}` : '/api/admin/addProduct',
    { method: id ? 'PUT' : 'POST', body },
    id ? 'Failed to update product' : 'Failed to add product',
  );
}

export function useDeleteProduct() {
  const edit = useEditLists();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) =>
      apiSend(`/api/admin/deleteProduct/${encodeURIComponent(id)}`, { method: 'DELETE' }, 'Failed to delete product'),
    onSuccess: (_answer, id) => {
      edit((page) => ({ ...page, products: page.products.filter((each) => each._id !== id) }));
      notify.success('Product deleted successfully!');
      void refresh();
    },
    onError: () => notify.error('Failed to delete product'),
  });
}

export function useToggleVisibility() {
  const edit = useEditProduct();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (product: Product) =>
      apiSend<{ isVisible: boolean }>(
        `${ofProduct(product._id)}/toggle-visibility`,
        { method: 'PUT', body: {} },
        'Failed to toggle product visibility',
      ),
    onMutate: (product) => edit(product._id, { isVisible: !product.isVisible }),
    onSuccess: ({ isVisible }, product) => {
      edit(product._id, { isVisible });
      notify.success(isVisible ? 'Product is now visible!' : 'Product is now hidden!');
    },
    onError: (_error, product) => {
      edit(product._id, { isVisible: product.isVisible });
      notify.error('Failed to toggle visibility');
    },
    onSettled: () => void refresh(),
  });
}

export function useTrendingRank() {
  const edit = useEditProduct();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ product, rank }: { product: Product; rank: number | null }) =>
      apiSend<{ trendingRank: number | null }>(
        `${ofProduct(product._id)}/trending-rank`,
        { method: 'PUT', body: { trendingRank: rank } },
        'Failed to update trending rank',
      ),
    onMutate: ({ product, rank }) => edit(product._id, { trendingRank: rank }),
    onSuccess: ({ trendingRank }, { product }) => {
      edit(product._id, { trendingRank });
      notify.success(trendingRank === null ? 'Trending rank cleared' : `Trending rank set to ${trendingRank}`);
    },
    onError: (_error, { product }) => {
      edit(product._id, { trendingRank: product.trendingRank });
      notify.error('Failed to update trending rank');
    },
    onSettled: () => void refresh(),
  });
}

/** The console's lists, and what the shop of this tab remembers of its products. */
export function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [LISTS, ['products'], ['product'], ['filters'], ['search']].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

function useEditLists() {
  const client = useQueryClient();
  return (change: (page: ProductPage) => ProductPage) =>
    client.setQueriesData<ProductPage>({ queryKey: LISTS }, (page) => page && change(page));
}

function useEditProduct() {
  const client = useQueryClient();
  const edit = useEditLists();
  return (id: string, change: Partial<Product>) => {
    // A list asked for before this change would bring the old value back.
    void client.cancelQueries({ queryKey: LISTS });
    edit((page) => ({
      ...page,
      products: page.products.map((each) => (each._id === id ? { ...each, ...change } : each)),
    }));
  };
}
