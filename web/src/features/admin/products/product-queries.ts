// Queries and mutations of products for admins, hidden products included. Changes also update the shop in this tab.
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { del, get, post, put } from '~/api/client';
import { errorMessage, isConflict } from '~/api/error';
import { adminKeys } from '~/api/queries/admin-keys';
import { publicKeys } from '~/api/queries/query-keys';
import type { Product, ProductInput, ProductPage } from '~/api/types';
import { toast } from '~/ui/feedback/toast';

export const PRODUCTS_PER_PAGE = 24;

export const productsQuery = (search: string, page: number, limit = PRODUCTS_PER_PAGE) =>
  queryOptions({
    queryKey: adminKeys.productPage(search, page, limit),
    queryFn: () => get('/api/admin/products', { query: { search, page, limit }, fallback: 'Failed to fetch products' }),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    retry: false,
  });

/** One product, never from the cache: an edit must start from the current version. */
export const productEditQuery = (id: string) =>
  queryOptions({
    queryKey: adminKeys.product(id),
    queryFn: () => fetchProduct(id),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  });

export async function fetchProduct(id: string): Promise<Product> {
  const found = await get('/api/admin/products/{id}', { path: { id }, fallback: 'Failed to fetch product' });
  return found.product;
}

/** Creates without `id`, updates with one. */
export function useSaveProduct(id: string | undefined) {
  const invalidate = useInvalidateProducts();
  return useMutation({
    mutationFn: (body: ProductInput) => saveProduct(id, body),
    onSuccess: () => {
      toast.success(id ? 'Product updated successfully!' : 'Product added successfully!');
      void invalidate();
    },
    // The form says it, too; about a conflict it also says what to do.
    onError: (error) => {
      if (!isConflict(error)) toast.error(errorMessage(error, 'An error occurred'));
    },
  });
}

export function saveProduct(id: string | undefined, body: ProductInput) {
  return id
    ? put('/api/admin/updateProduct/{id}', { path: { id }, body, fallback: 'Failed to update product' })
    : post('/api/admin/addProduct', { body, fallback: 'Failed to add product' });
}

export function useDeleteProduct() {
  const edit = useEditLists();
  const invalidate = useInvalidateProducts();
  return useMutation({
    mutationFn: (id: string) =>
      del('/api/admin/deleteProduct/{id}', { path: { id }, fallback: 'Failed to delete product' }),
    onSuccess: (_response, id) => {
      edit((page) => ({ ...page, products: page.products.filter((each) => each._id !== id) }));
      toast.success('Product deleted successfully!');
      void invalidate();
    },
    onError: () => toast.error('Failed to delete product'),
  });
}

export function useToggleVisibility() {
  const edit = useEditProduct();
  const invalidate = useInvalidateProducts();
  return useMutation({
    mutationFn: (product: Product) =>
      put('/api/admin/products/{id}/toggle-visibility', {
        path: { id: product._id },
        fallback: 'Failed to toggle product visibility',
      }),
    onMutate: (product) => edit(product._id, { isVisible: !product.isVisible }),
    onSuccess: ({ isVisible }, product) => {
      edit(product._id, { isVisible });
      toast.success(isVisible ? 'Product is now visible!' : 'Product is now hidden!');
    },
    onError: (_error, product) => {
      edit(product._id, { isVisible: product.isVisible });
      toast.error('Failed to toggle visibility');
    },
    onSettled: () => void invalidate(),
  });
}

export function useTrendingRank() {
  const edit = useEditProduct();
  const invalidate = useInvalidateProducts();
  return useMutation({
    mutationFn: ({ product, rank }: { product: Product; rank: number | null }) =>
      put('/api/admin/products/{id}/trending-rank', {
        path: { id: product._id },
        body: { trendingRank: rank },
        fallback: 'Failed to update trending rank',
      }),
    onMutate: ({ product, rank }) => edit(product._id, { trendingRank: rank }),
    onSuccess: ({ trendingRank }, { product }) => {
      edit(product._id, { trendingRank });
      toast.success(trendingRank === null ? 'Trending rank cleared' : `Trending rank set to ${trendingRank}`);
    },
    onError: (_error, { product }) => {
      edit(product._id, { trendingRank: product.trendingRank });
      toast.error('Failed to update trending rank');
    },
    onSettled: () => void invalidate(),
  });
}

/** Invalidates the admin lists and the public product queries of this tab. */
export function useInvalidateProducts() {
  const client = useQueryClient();
  return () =>
    Promise.all([adminKeys.products, publicKeys.catalogue].map((queryKey) => client.invalidateQueries({ queryKey })));
}

function useEditLists() {
  const client = useQueryClient();
  return (change: (page: ProductPage) => ProductPage) =>
    client.setQueriesData<ProductPage>({ queryKey: adminKeys.products }, (page) => page && change(page));
}

function useEditProduct() {
  const client = useQueryClient();
  const edit = useEditLists();
  return (id: string, change: Partial<Product>) => {
    // A list that was requested before this change would restore the old value.
    void client.cancelQueries({ queryKey: adminKeys.products });
    edit((page) => ({
      ...page,
      products: page.products.map((each) => (each._id === id ? { ...each, ...change } : each)),
    }));
  };
}
