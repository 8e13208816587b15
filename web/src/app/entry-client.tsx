// The entry of the client bundle: hydrates the page that the server rendered, or renders it where there is none.
import { type DehydratedState, hashKey, hydrate } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { publicKeys } from '~/api/queries/query-keys';
import { loadPage, loadPageShell } from '~/app/routing/pages-lazy';
import { BrowserRouter, type OnNavigate } from '~/lib/router/router';
import '~/ui/styles/index.css';
import { App } from './app';
import { createQueryClient } from './query-client';
import { matchRoute } from './routing/routes';

async function start() {
  const root = document.getElementById('root');
  if (!root) return;
  const client = createQueryClient(false);
  const text = document.getElementById('state')?.textContent;
  const state: (DehydratedState & { isNotFound?: boolean }) | undefined = text ? JSON.parse(text) : undefined;
  if (state) hydrate(client, { ...state, queries: state.queries.map(withAge) });
  const isRendered = root.firstElementChild !== null && !state?.isNotFound;
  const load = isRendered ? loadPageShell : loadPage;
  await load(matchRoute(window.location.pathname).route.page).catch(() => undefined);

  // Pages change without a transition until its code is there.
  let showPage: OnNavigate = (_from, _to, show) => show('later');
  const onNavigate: OnNavigate = (from, to, show) => showPage(from, to, show);
  const app = (
    <StrictMode>
      <BrowserRouter onNavigate={onNavigate}>
        <App client={client} />
      </BrowserRouter>
    </StrictMode>
  );
  // As a transition, so that hydrating a long page does not block input.
  if (isRendered) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
  const { afterStart } = await import('./after-start');
  showPage = afterStart(client);
}

/**
 * The server sends a page only while its content is current, so lists need no second request at once. Only stock changes
 * without a new page; the product's own page reads it again.
 */
function withAge(query: DehydratedState['queries'][number]): DehydratedState['queries'][number] {
  const isProduct = hashKey(query.queryKey.slice(0, 2)) === hashKey(publicKeys.product('').slice(0, 2));
  return isProduct ? query : { ...query, state: { ...query.state, dataUpdatedAt: Date.now() } };
}

// The Devanagari fonts are loaded after everything else, and used once they are there: the page is laid out once for them.
async function enableDevanagariFonts() {
  const faces = ['Rozha One words', 'Vesper Libre words'];
  await Promise.all(faces.map((face) => document.fonts.load(`1em "${face}"`, 'अ'))).catch(() => undefined);
  document.documentElement.dataset.devanagari = 'loaded';
}

void start();
if (document.readyState === 'complete') void enableDevanagariFonts();
else window.addEventListener('load', () => void enableDevanagariFonts());
