// Public queries: products, filters, search, pincodes, the shop's own data.

import { publicQuery } from './public-query';
import { publicKeys } from './query-keys';
import { buildQuery } from './query-string';
import type { Filters, PincodeResponse, Product, ProductListResponse, SearchResult, Shop } from './types';

const PRODUCT_LIST_PATH = '/api/products/api/productInfo';

/** The first 96 products: the whole catalogue of most shops. */
export const firstProductsQuery = publicQuery({
  key: publicKeys.firstProducts,
  path: `${PRODUCT_LIST_PATH}${buildQuery({ limit: '96' })}`,
  fallback: 'Failed to fetch products',
  select: (body: ProductListResponse) => body,
});

export const isComplete = ({ products, total }: ProductListResponse): boolean => products.length >= total;

/** The first products that match a filter, for catalogues that the browser does not have as a whole. */
export const productListQuery = (search: string, category: string[], limit: number) =>
  publicQuery({
    key: publicKeys.productList(search, category, limit),
    path: `${PRODUCT_LIST_PATH}${buildQuery({ search, category, limit: String(limit) })}`,
    fallback: 'Failed to fetch products',
    select: (body: ProductListResponse) => body,
  });

export const trendingQuery = publicQuery({
  key: publicKeys.trending,
  path: '/api/products/api/trending',
  fallback: 'Failed to fetch trending products',
  select: (body: { products: Product[] }) => body.products,
});

/** `null` where the product does not exist or is hidden. */
export const productQuery = (id: string) =>
  publicQuery({
    key: publicKeys.product(id),
    path: `/api/products/api/productInfo/${encodeURIComponent(id)}`,
    fallback: 'Failed to fetch product',
    select: (body: { product: Product }): Product | null => body.product,
    whenNotFound: null,
  });

/** Up to four others of the same categories. */
export const relatedQuery = (id: string) =>
  publicQuery({
    key: publicKeys.related(id),
    path: `/api/products/api/related/${encodeURIComponent(id)}`,
    fallback: 'Failed to fetch products',
    select: (body: { products: Product[] }) => body.products,
    whenNotFound: [],
  });

export const filtersQuery = publicQuery({
  key: publicKeys.filters,
  path: '/api/products/api/filters',
  fallback: 'Failed to fetch filters',
  select: (body: Filters) => body,
});

export const searchQuery = (text: string) =>
  publicQuery({
    key: publicKeys.search(text),
    path: `/api/api/products/search?q=${encodeURIComponent(text)}`,
    fallback: 'Failed to fetch products',
    select: (body: SearchResult[]) => body,
  });

export const pincodeQuery = (pin: string) =>
  publicQuery({
    key: publicKeys.pincode(pin),
    path: `/api/pincode/${encodeURIComponent(pin)}`,
    fallback: 'Something went wrong.',
    select: (body: PincodeResponse) => body,
  });

export const shopQuery = publicQuery({
  key: publicKeys.shop,
  path: '/api/shop',
  fallback: 'Something went wrong.',
  select: (body: { shop: Shop }) => body.shop,
});
