// The pages there are. Each lives in pages/{key}-page.tsx with the page as its default export.
export const PAGE_KEYS = [
  'home',
  'sub-products',
  'simple-products',
  'product',
  'search',
  'category',
  'cuisine',
  'wishlist',
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
  'not-found',
] as const;

export type PageKey = (typeof PAGE_KEYS)[number];
