// The entry of the client bundle: hydrates the page that the server rendered, or renders it where there is none.
import { type DehydratedState, hydrate } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { loadPage } from '~/app/pages-lazy';
import '~/ui/styles.css';
import { App } from './app';
import { createQueryClient } from './query-client';
import { matchRoute } from './routes';

async function start() {
  const root = document.getElementById('root');
  if (!root) return;
  const client = createQueryClient(false);
  const text = document.getElementById('state')?.textContent;
  const state: (DehydratedState & { isNotFound?: boolean }) | undefined = text ? JSON.parse(text) : undefined;
  if (state) hydrate(client, state);
  await loadPage(matchRoute(window.location.pathname).route.page).catch(() => undefined);

  const app = (
    <StrictMode>
      <BrowserRouter>
        <App client={client} />
      </BrowserRouter>
    </StrictMode>
  );
  // As a transition, so that hydrating a long page does not block input.
  if (root.firstElementChild && !state?.isNotFound) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
}

// The Devanagari font is large: it is loaded after everything else. Until then a system font is used.
function enableDevanagariFont() {
  document.documentElement.dataset.devanagari = 'loaded';
}

void start();
if (document.readyState === 'complete') enableDevanagariFont();
else window.addEventListener('load', enableDevanagariFont);
