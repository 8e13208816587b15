// All query keys. Data of the signed-in user is under 'user', everything else under 'public': signing out removes all of
// 'user' in one call (shared/auth/session.ts). A key that starts with anything else does not compile.

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly ['user' | 'public', ...unknown[]];
  }
}

export const userKeys = {
  all: ['user'],
  current: ['user', 'current'],
  cart: ['user', 'cart'],
  wishlist: ['user', 'wishlist'],
  addresses: ['user', 'addresses'],
  profile: ['user', 'profile'],
  orders: ['user', 'orders'],
  order: (id: string) => ['user', 'orders', id] as const,
  reviews: ['user', 'reviews'],
  reviewsOf: (productId: string) => ['user', 'reviews', productId] as const,
  payment: (merchantOrderId: string) => ['user', 'payment', merchantOrderId] as const,
} as const;

export const publicKeys = {
  /** Whether a user is signed in: set to false by signing out, not removed. */
  authStatus: ['public', 'auth-status'],
  shop: ['public', 'shop'],
  pincode: (pin: string) => ['public', 'pincode', pin] as const,
  /** What the link of an email shows. */
  reviewRequest: (token: string) => ['public', 'review-request', token] as const,
  /** Everything that changes with a product. */
  catalogue: ['public', 'catalogue'],
  firstProducts: ['public', 'catalogue', 'list'],
  productList: (search: string, category: string[], sort: string, limit: number) =>
    ['public', 'catalogue', 'list', search, category, sort, limit] as const,
  trending: ['public', 'catalogue', 'trending'],
  product: (id: string) => ['public', 'catalogue', 'product', id] as const,
  related: (id: string) => ['public', 'catalogue', 'related', id] as const,
  reviews: (id: string) => ['public', 'catalogue', 'reviews', id] as const,
  reviewList: (id: string, sort: string) => ['public', 'catalogue', 'reviews', id, sort] as const,
  filters: ['public', 'catalogue', 'filters'],
  search: (text: string) => ['public', 'catalogue', 'search', text] as const,
  searchReading: (text: string) => ['public', 'catalogue', 'search-reading', text] as const,
  suggestions: (text: string) => ['public', 'catalogue', 'suggestions', text] as const,
} as const;
