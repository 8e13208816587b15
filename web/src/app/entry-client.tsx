// Where the browser starts: take over the page that the server rendered, or build it where there is none.
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
  const state: (DehydratedState & { standIn?: boolean }) | undefined = text ? JSON.parse(text) : undefined;
  if (state) hydrate(client, state);
  await loadPage(matchRoute(window.location.pathname).route.page).catch(() => undefined);

  const app = (
    <StrictMode>
      <BrowserRouter>
        <App client={client} />
      </BrowserRouter>
    </StrictMode>
  );
  // As a transition, so that taking over a long page never blocks a finger on the screen.
  if (root.firstElementChild && !state?.standIn) startTransition(() => void hydrateRoot(root, app));
  else createRoot(root).render(app);
}

// The large Devanagari letters come when everything else is there; until then the system's own stand in.
function showLetters() {
  document.documentElement.dataset.letters = 'all';
}

void start();
if (document.readyState === 'complete') showLetters();
else window.addEventListener('load', showLetters);
