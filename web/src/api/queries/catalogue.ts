// Public queries: products, filters, search, pincodes, the shop's own data.
import type { Product, ProductListResponse, ReviewPage } from '../types';
import { publicQuery } from './public-query';
import { publicKeys } from './query-keys';

const PRODUCT_LIST_PATH = '/api/products/api/productInfo';

/** The first 96 products: the whole catalogue of most shops. */
export const firstProductsQuery = publicQuery({
  key: publicKeys.firstProducts,
  path: PRODUCT_LIST_PATH,
  request: { query: { limit: 96 }, fallback: 'Failed to fetch products' },
  select: (body) => body,
});

export const isComplete = ({ products, total }: ProductListResponse): boolean => products.length >= total;

/** The first products that match a filter, for catalogues that the browser does not have as a whole. */
export const productListQuery = (search: string, category: string[], sort: string, limit: number) =>
  publicQuery({
    key: publicKeys.productList(search, category, sort, limit),
    path: PRODUCT_LIST_PATH,
    request: { query: { search, category, sort, limit }, fallback: 'Failed to fetch products' },
    select: (body) => body,
  });

export const trendingQuery = publicQuery({
  key: publicKeys.trending,
  path: '/api/products/api/trending',
  request: { fallback: 'Failed to fetch trending products' },
  select: (body) => body.products,
});

/** `null` where the product does not exist or is hidden. */
export const productQuery = (id: string) =>
  publicQuery({
    key: publicKeys.product(id),
    path: '/api/products/api/productInfo/{id}',
    request: { path: { id }, fallback: 'Failed to fetch product' },
    select: (body): Product | null => body.product,
    whenNoProduct: { data: null },
  });

/** Up to four others of the same categories. */
export const relatedQuery = (id: string) =>
  publicQuery({
    key: publicKeys.related(id),
    path: '/api/products/api/related/{id}',
    request: { path: { id }, fallback: 'Failed to fetch products' },
    select: (body) => body.products,
    whenNoProduct: { data: [] },
  });

/** The newest reviews and the distribution of stars. `null` where there is no such product. */
export const reviewsQuery = (id: string) =>
  publicQuery({
    key: publicKeys.reviews(id),
    path: '/api/products/{id}/reviews',
    request: { path: { id }, fallback: 'Failed to fetch reviews' },
    select: (body): ReviewPage | null => body,
    whenNoProduct: { data: null },
  });

export const filtersQuery = publicQuery({
  key: publicKeys.filters,
  path: '/api/products/api/filters',
  request: { fallback: 'Failed to fetch filters' },
  select: (body) => body,
});

export const searchQuery = (text: string) =>
  publicQuery({
    key: publicKeys.search(text),
    path: '/api/api/products/search',
    request: { query: { q: text }, fallback: 'Failed to fetch products' },
    select: (body) => body,
  });

/** How the shop read a search, where no product contains the text as it was typed. */
export const searchReadingQuery = (text: string) =>
  publicQuery({
    key: publicKeys.searchReading(text),
    path: PRODUCT_LIST_PATH,
    request: { query: { search: text, limit: 1 }, fallback: 'Failed to fetch products' },
    select: ({ correctedTo, partialMatch }) => ({ correctedTo, partialMatch }),
  });

/** Products for the list under the search box. */
export const suggestionsQuery = (text: string) =>
  publicQuery({
    key: publicKeys.suggestions(text),
    path: '/api/products/api/suggestions',
    request: { query: { q: text }, fallback: 'Failed to fetch products' },
    select: (body) => body.suggestions,
  });

export const pincodeQuery = (pin: string) =>
  publicQuery({
    key: publicKeys.pincode(pin),
    path: '/api/pincode/{pincode}',
    request: { path: { pincode: pin }, fallback: 'Something went wrong.' },
    select: (body) => body,
  });

export const shopQuery = publicQuery({
  key: publicKeys.shop,
  path: '/api/shop',
  request: { fallback: 'Something went wrong.' },
  select: (body) => body.shop,
});
