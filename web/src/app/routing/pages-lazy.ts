// In the browser each page is a chunk of its own, loaded when it is needed. The page that the server rendered is loaded
// before hydration, so that nothing suspends.
import { type ComponentType, lazy } from 'react';
import { HomeTrending } from '~/app/pages/home-trending-lazy';
import { loadBelowFold } from '~/features/home/below-fold-lazy';
import { ReviewsSection } from '~/features/reviews/reviews-section-lazy';
import type { PageKey } from './page-keys';

type PageModule = { default: ComponentType };

const loaders: Record<PageKey, () => Promise<PageModule>> = {
  home: () => import('../pages/home-page'),
  'sub-products': () => import('../pages/catalogue/sub-products-page'),
  'simple-products': () => import('../pages/catalogue/simple-products-page'),
  product: () => import('../pages/catalogue/product-page'),
  search: () => import('../pages/catalogue/search-page'),
  category: () => import('../pages/catalogue/category-page'),
  cuisine: () => import('../pages/catalogue/cuisine-page'),
  wishlist: () => import('../pages/account/wishlist-page'),
  review: () => import('../pages/account/review-page'),
  checkout: () => import('../pages/account/checkout-page'),
  'payment-result': () => import('../pages/account/payment-result-page'),
  profile: () => import('../pages/account/profile-page'),
  orders: () => import('../pages/account/orders-page'),
  admin: () => import('../pages/admin-page'),
  about: () => import('../pages/about-page'),
  contact: () => import('../pages/contact-page'),
  cancellation: () => import('../pages/policies/cancellation-page'),
  privacy: () => import('../pages/policies/privacy-page'),
  shipping: () => import('../pages/policies/shipping-page'),
  terms: () => import('../pages/policies/terms-page'),
  'stop-emails': () => import('../pages/account/stop-emails-page'),
  'not-found': () => import('../pages/not-found-page'),
};

const parts: Partial<Record<PageKey, () => Promise<unknown>>> = {
  home: () => Promise.all([loadBelowFold(), HomeTrending.load()]),
  product: ReviewsSection.load,
};

const complete = new Set<PageKey>();
const arrived = new Map<PageKey, ComponentType>();
const chosen = new Map<PageKey, ComponentType>();

/** Without the parts of a page that load by themselves when they are seen: enough to hydrate it. */
export async function loadPageShell(key: PageKey): Promise<void> {
  arrived.set(key, (await loaders[key]()).default);
}

/** All of it, to show it where the server has not rendered it. */
export async function loadPage(key: PageKey): Promise<void> {
  await Promise.all([loadPageShell(key), parts[key]?.()]);
  complete.add(key);
}

export const isPageLoaded = (key: PageKey): boolean => complete.has(key);

/** The same component for a key as long as the tab lives: changing it would remount the page. */
export function pageComponent(key: PageKey): ComponentType {
  const known = chosen.get(key);
  if (known) return known;
  const component = arrived.get(key) ?? lazy(() => loadPage(key).then(() => loaders[key]()));
  chosen.set(key, component);
  return component;
}
