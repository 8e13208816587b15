// Shows a new page with a view transition: the picture and the name of a product move from the card to the product's page
// and back, everything else fades. Without it where motion is not wanted or the page's code is not there yet.
import type { QueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { isPageLoaded } from '~/app/routing/pages-lazy';
import type { Location } from '~/lib/router/router';
import { seedProduct } from './prefetch';
import { matchRoute } from './routes';

type Show = (how: 'later' | 'now', flush?: (act: () => void) => void) => void;

export function createPageTransition(client: QueryClient) {
  return (from: Location, to: Location, show: Show) => {
    if (from.pathname === to.pathname) return show('later');
    // The service worker has the pages that were seen; their data is in them.
    if (!navigator.onLine) return window.location.reload();
    seedProduct(client, to.pathname);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still || document.hidden || !document.startViewTransition || !isPageLoaded(matchRoute(to.pathname).route.page))
      return show('later');
    const unnameOld = nameProduct(from, to);
    let unnameNew = () => {};
    const transition = document.startViewTransition(() => {
      unnameOld();
      show('now', flushSync);
      unnameNew = nameProduct(to, from);
    });
    // It is skipped where another navigation follows at once; the page is shown all the same.
    transition.ready.catch(() => undefined);
    void transition.finished.catch(() => undefined).then(() => unnameNew());
  };
}

/** Names the picture and the name of the product that both pages show, on the page that is shown. */
function nameProduct(here: Location, other: Location): () => void {
  const isProduct = ({ pathname }: Location) => matchRoute(pathname).route.page === 'product';
  const named: HTMLElement[] = [];
  const name = (element: HTMLElement | null | undefined, as: string) => {
    if (!element) return;
    element.style.viewTransitionName = as;
    named.push(element);
  };
  if (isProduct(here)) {
    name(document.querySelector<HTMLElement>('main img'), 'product-picture');
    name(document.querySelector<HTMLElement>('main h1'), 'product-name');
  } else if (isProduct(other)) {
    const links = [
      ...document.querySelectorAll<HTMLElement>(`main a[href="${CSS.escape(other.pathname).replace(/\\/g, '')}"]`),
    ];
    const isInView = (element: HTMLElement) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return height > 0 && bottom > 0 && top < window.innerHeight;
    };
    const card = links.find(isInView)?.closest('article');
    name(card?.querySelector<HTMLElement>('img'), 'product-picture');
    name(card?.querySelector<HTMLElement>('h2, h3'), 'product-name');
  }
  return () => {
    for (const element of named) element.style.viewTransitionName = '';
  };
}
