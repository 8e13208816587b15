// The public calls: products, filters, search, pincodes, the shop's own identity.
import { publicQuery } from './public-query';
import { buildQuery } from './query-string';
import type { Filters, PincodeAnswer, Product, SearchResult, ShelfPart, Shop } from './types';

const shelf = '/api/products/api/productInfo';

/** The shelf from its start: all of it in most shops. */
export const shelfStart = publicQuery({
  key: ['products', 'shelf'],
  path: `${shelf}${buildQuery({ limit: '96' })}`,
  fallback: 'Failed to fetch products',
  pick: (body: ShelfPart) => body,
});

export const isWhole = ({ products, total }: ShelfPart): boolean => products.length >= total;

/** The first products of a narrowed shelf, for shops with too many to have them all here. */
export const shelfPart = (search: string, category: string[], limit: number) =>
  publicQuery({
    key: ['products', 'shelf', search, category, limit],
    path: `${shelf}${buildQuery({ search, category, limit: String(limit) })}`,
    fallback: 'Failed to fetch products',
    pick: (body: ShelfPart) => body,
  });

export const trendingProducts = publicQuery({
  key: ['products', 'trending'],
  path: '/api/products/api/trending',
  fallback: 'Failed to fetch trending products',
  pick: (body: { products: Product[] }) => body.products,
});

/** `null` where there is no such product, or none that the public may see. */
export const oneProduct = (id: string) =>
  publicQuery({
    key: ['product', id],
    path: `/api/products/api/productInfo/${encodeURIComponent(id)}`,
    fallback: 'Failed to fetch product',
    pick: (body: { product: Product }): Product | null => body.product,
    missing: null,
  });

/** Up to four others of the same categories. */
export const relatedProducts = (id: string) =>
  publicQuery({
    key: ['products', 'related', id],
    path: `/api/products/api/related/${encodeURIComponent(id)}`,
    fallback: 'Failed to fetch products',
    pick: (body: { products: Product[] }) => body.products,
    missing: [],
  });

export const filters = publicQuery({
  key: ['filters'],
  path: '/api/products/api/filters',
  fallback: 'Failed to fetch filters',
  pick: (body: Filters) => body,
});

export const searchResults = (text: string) =>
  publicQuery({
    key: ['search', text],
    path: `/api/api/products/search?q=${encodeURIComponent(text)}`,
    fallback: 'Failed to fetch products',
    pick: (body: SearchResult[]) => body,
  });

export const pincode = (pin: string) =>
  publicQuery({
    key: ['pincode', pin],
    path: `/api/pincode/${encodeURIComponent(pin)}`,
    fallback: 'Something went wrong.',
    pick: (body: PincodeAnswer) => body,
  });

export const shopIdentity = publicQuery({
  key: ['shop'],
  path: '/api/shop',
  fallback: 'Something went wrong.',
  pick: (body: { shop: Shop }) => body.shop,
});
