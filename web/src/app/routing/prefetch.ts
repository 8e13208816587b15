// Loads the code and the data of a page when a link to it is about to be used, so that it is shown at once. Nothing is
// loaded ahead with data saving on.
import type { QueryClient } from '@tanstack/react-query';
import { firstProductsQuery, productQuery, relatedQuery, shopQuery, trendingQuery } from '~/api/queries/catalogue';
import type { Product } from '~/api/types';
import { isPageLoaded, loadPage } from '~/app/routing/pages-lazy';
import { matchRoute, type RouteContext, routeContext } from './routes';

type Connection = { saveData?: boolean; effectiveType?: string; downlink?: number };
const connection = (): Connection => (navigator as { connection?: Connection }).connection ?? {};

/** A pointer that passes over a link is no intent. */
const HOVER_MS = 60;
const FAST_MBPS = 5;

export function startPrefetching(client: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const linkOf = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  const now = (event: Event) => {
    const link = linkOf(event);
    if (link) prefetch(client, link);
  };
  window.addEventListener('pointerover', (event) => {
    clearTimeout(timer);
    const link = event.pointerType === 'mouse' && linkOf(event);
    if (link) timer = setTimeout(() => prefetch(client, link), HOVER_MS);
  });
  window.addEventListener('touchstart', now, { passive: true });
  window.addEventListener('focusin', now);
  // Where the network is fast, the code of the product page is loaded once a visitor moves in a list of products.
  const ahead = () => {
    const { effectiveType, downlink = 0 } = connection();
    if (effectiveType !== '4g' || downlink < FAST_MBPS || connection().saveData) return;
    if (document.querySelector('main a[href^="/product/"]')) void loadPage('product').catch(() => undefined);
  };
  window.addEventListener('scroll', ahead, { once: true, passive: true });
}

function prefetch(client: QueryClient, link: HTMLAnchorElement) {
  const { origin, pathname, search, target } = link;
  if (origin !== window.location.origin || target || connection().saveData) return;
  const match = matchRoute(pathname);
  const { page, queries } = match.route;
  if (page === 'not-found' || pathname === window.location.pathname) return;
  seedProduct(client, pathname);
  if (!isPageLoaded(page)) void loadPage(page).catch(() => undefined);
  const read: RouteContext['read'] = (query) => client.getQueryData(query.queryKey);
  for (const query of queries?.(routeContext(match, pathname, search, read, read(shopQuery))) ?? [])
    void client.prefetchQuery(query as Parameters<typeof client.prefetchQuery>[0]);
}

/** A product that is in a list is known: its page needs no request before it is shown. */
export function seedProduct(client: QueryClient, pathname: string): void {
  const { params } = matchRoute(pathname);
  const { id } = params;
  if (!id || client.getQueryData(productQuery(id).queryKey)) return;
  const shown = matchRoute(window.location.pathname).params.id ?? '';
  for (const { queryKey } of [firstProductsQuery, trendingQuery, relatedQuery(shown)]) {
    const data = client.getQueryData(queryKey) as { products: Product[] } | Product[] | undefined;
    const product = (Array.isArray(data) ? data : data?.products)?.find(({ _id }) => _id === id);
    // Of age 0, so that the page reads the stock again.
    if (product) return void client.setQueryData(productQuery(id).queryKey, product, { updatedAt: 0 });
  }
}
