// <head> as text, for the server render: the page's own tags, social preview, structured data and preloads.
import type { RouteContext, ShopRoute } from '../routing/routes';
import { descriptionOf } from './descriptions';
import type { Head } from './head';
import { pageAssets } from './page-assets';
import { preloadImage, shareImage, structuredData } from './structured-data';

export function headHtml(route: ShopRoute, context: RouteContext, head: Head): string {
  const image = shareImage(route, context);
  const description = descriptionOf(route.page, context);
  const tags = [
    `<title>${escapeHtml(head.title)}</title>`,
    meta('name', 'description', description),
    meta('name', 'robots', head.indexable ? 'index,follow' : 'noindex'),
    `<link rel="canonical" href="${escapeHtml(head.canonical)}">`,
    meta('property', 'og:type', route.page === 'product' ? 'product' : 'website'),
    meta('property', 'og:site_name', context.shop?.name ?? 'Mirasa'),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', head.canonical),
    meta('property', 'og:locale', 'en_IN'),
    image && meta('property', 'og:image', image),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
    preloadImage(route, context),
    ...pageAssets(route.page).map((file) => `<link data-deferred-preload crossorigin href="/${file}">`),
    ...(head.indexable ? structuredData(route, context) : []).map(
      (data) => `<script type="application/ld+json">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`,
    ),
  ];
  return tags.filter(Boolean).join('\n    ');
}

function meta(kind: 'name' | 'property', key: string, content: string): string {
  return content ? `<meta ${kind}="${key}" content="${escapeHtml(content)}">` : '';
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
