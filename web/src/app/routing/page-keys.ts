// The keys of all pages. Each is the default export of a file {key}-page.tsx below pages/.
export const PAGE_KEYS = [
  'home',
  'sub-products',
  'simple-products',
  'product',
  'search',
  'category',
  'cuisine',
  'wishlist',
  'review',
  'checkout',
  'payment-result',
  'profile',
  'orders',
  'admin',
  'about',
  'contact',
  'cancellation',
  'privacy',
  'shipping',
  'terms',
  'stop-emails',
  'not-found',
] as const;

export type PageKey = (typeof PAGE_KEYS)[number];
