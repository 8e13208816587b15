// The entry of the server bundle: `render(path)` returns the page as text. It runs in an engine with nothing but the
// language: synchronous, no network, no timers; the server provides data through `hostGet`.
import './server-polyfills';
import { dehydrate } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { shopQuery } from '~/api/queries/catalogue';
import { prefetchForRender } from '~/api/queries/public-query';
import { StaticRouter } from '~/lib/router/router';
import { App } from './app';
import { headFor } from './head/head';
import { headHtml } from './head/head-html';
import { createQueryClient } from './query-client';
import type { PageKey } from './routing/page-keys';
import { matchRoute, type RouteContext, routeContext, routes } from './routing/routes';

/** `cacheable`: all data was available, so the server may cache the page. It contains no user data. */
type Rendered = { status: number; head: string; body: string; state: string; cacheable: boolean };

/** The 404 page is the same for all unknown paths, so its data does not belong to the path: see entry-client.tsx. */
const isNotFound = { isNotFound: true };

declare global {
  var render: (path: string) => string;
  /** The build writes them to a file for the server: tools/page-list.mjs. */
  var pages: { path: string; page: PageKey }[];
}

globalThis.pages = routes.map(({ path, page }) => ({ path, page }));

globalThis.render = (path) => JSON.stringify(renderPage(path));

function renderPage(path: string): Rendered {
  const cut = path.indexOf('?');
  const pathname = cut < 0 ? path : path.slice(0, cut);
  const search = cut < 0 ? '' : path.slice(cut);

  const client = createQueryClient(true);
  const read: RouteContext['read'] = (query) => client.getQueryData(query.queryKey);
  const hasShop = prefetchForRender(client, [shopQuery]);
  const match = matchRoute(pathname);
  const context = routeContext(match, pathname, search, read, read(shopQuery));
  const hasData = prefetchForRender(client, match.route.queries?.(context) ?? []);

  const body = renderToString(
    <StaticRouter location={{ pathname, search, hash: '', state: null, key: 'default' }}>
      <App client={client} />
    </StaticRouter>,
  );
  const status = match.route.isNotFound?.(context) ? 404 : 200;
  return {
    status,
    head: headHtml(match.route, context, headFor(match.route, context)),
    body,
    state: JSON.stringify({ ...dehydrate(client), ...(status === 404 && isNotFound) }),
    cacheable: hasShop && hasData,
  };
}
