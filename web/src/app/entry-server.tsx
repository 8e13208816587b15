// Where the program starts: `render(path)` gives the page as text. It runs in an engine with nothing but the
// language: synchronous, no network, no timers; data comes from the program through `hostGet`.
import './server-polyfills';
import { dehydrate } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { Router } from 'react-router';
import { shopIdentity } from '~/api/catalogue';
import { prefetchOnHost } from '~/api/public-query';
import { App } from './app';
import { headOf } from './head';
import { headHtml } from './head-html';
import { createQueryClient } from './query-client';
import { matchRoute, type RouteContext, routeContext } from './routes';

/** `cacheable`: nothing was missing, so that the program may keep the page. It is rendered for nobody in particular. */
type Rendered = { status: number; head: string; body: string; state: string; cacheable: boolean };

/** One page stands at every address that leads nowhere, so its data is not that of the address: see entry-client. */
const standIn = { standIn: true };

declare global {
  var render: (path: string) => string;
}

globalThis.render = (path) => JSON.stringify(renderPage(path));

function renderPage(path: string): Rendered {
  const cut = path.indexOf('?');
  const pathname = cut < 0 ? path : path.slice(0, cut);
  const search = cut < 0 ? '' : path.slice(cut);

  const client = createQueryClient(true);
  const read: RouteContext['read'] = (query) => client.getQueryData(query.queryKey);
  const hasShop = prefetchOnHost(client, [shopIdentity]);
  const match = matchRoute(pathname);
  const context = routeContext(match, pathname, search, read, read(shopIdentity));
  const hasData = prefetchOnHost(client, match.route.queries?.(context) ?? []);

  const body = renderToString(
    <Router location={{ pathname, search, hash: '', state: null, key: 'default' }} navigator={standStill} static>
      <App client={client} />
    </Router>,
  );
  const status = match.route.missing?.(context) ? 404 : 200;
  return {
    status,
    head: headHtml(match.route, context, headOf(match.route, context)),
    body,
    state: JSON.stringify({ ...dehydrate(client), ...(status === 404 && standIn) }),
    cacheable: hasShop && hasData,
  };
}

const asText = (to: string | { pathname?: string; search?: string; hash?: string }) =>
  typeof to === 'string' ? to : `${to.pathname ?? ''}${to.search ?? ''}${to.hash ?? ''}`;

const nowhere = () => {
  throw new Error('A server render cannot navigate.');
};

const standStill = {
  createHref: asText,
  encodeLocation: (to: string | { pathname?: string; search?: string; hash?: string }) =>
    typeof to === 'string'
      ? { pathname: to, search: '', hash: '' }
      : { pathname: to.pathname ?? '', search: to.search ?? '', hash: to.hash ?? '' },
  push: nowhere,
  replace: nowhere,
  go: nowhere,
};
