// The content of <head> for a page. The server render writes it as text; the browser applies it when the page changes.
import type { RouteContext, ShopRoute } from '../routing/routes';

export type Head = { title: string; canonical: string; indexable: boolean };

export function headFor(route: ShopRoute, context: RouteContext): Head {
  const name = context.shop?.name ?? 'Mirasa';
  const isNotFound = route.isNotFound?.(context) ?? false;
  const own = typeof route.title === 'function' ? route.title(context) : route.title;
  const title = isNotFound && route.page === 'product' ? 'Product not found' : own;
  return {
    title: title.startsWith(name) ? title : `${title} · ${name}`,
    canonical: `${context.shop?.publicUrl ?? ''}${canonicalPath(route, context)}`,
    indexable: !route.requiresAuth && !isNotFound && route.page !== 'search',
  };
}

function canonicalPath(route: ShopRoute, context: RouteContext): string {
  const path = context.pathname === '/' ? '/' : context.pathname.replace(/\/+$/, '');
  // One category is a page worth finding; a combination or a search is a view of the same list.
  const categories = context.query.all('category');
  return route.page === 'sub-products' && categories.length === 1
    ? `${path}?category=${encodeURIComponent(categories[0] ?? '')}`
    : path;
}

export function applyHead(head: Head): void {
  document.title = head.title;
  // It describes the page that was loaded. Search engines load each page, so another one needs none.
  const loaded = document.querySelector('link[rel="canonical"]')?.getAttribute('href');
  if (loaded !== head.canonical) document.querySelector('meta[name="description"]')?.remove();
  setTag('link[rel="canonical"]', 'link', { rel: 'canonical', href: head.canonical });
  setTag('meta[name="robots"]', 'meta', { name: 'robots', content: head.indexable ? 'index,follow' : 'noindex' });
}

function setTag(selector: string, tag: 'meta' | 'link', attributes: Record<string, string>): void {
  const element = document.head.querySelector(selector) ?? document.head.appendChild(document.createElement(tag));
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
