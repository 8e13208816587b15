// Scrolls a new page to its top or its anchor, and restores the scroll position after Back and Forward.
import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from '~/lib/router/router';

const positions = new Map<string, number>();

export function ScrollRestoration() {
  const { key, pathname, hash } = useLocation();
  const kind = useNavigationType();
  const previousPath = useRef(pathname);

  useEffect(() => {
    const restoreHere = () => {
      history.scrollRestoration = 'manual';
    };
    restoreHere();
    const savePosition = () => positions.set(key, window.scrollY);
    // A page that is loaded again, by Back or a reload, is scrolled by the browser.
    const letBrowserRestore = () => {
      history.scrollRestoration = 'auto';
    };
    window.addEventListener('scroll', savePosition, { passive: true });
    window.addEventListener('pagehide', letBrowserRestore);
    window.addEventListener('pageshow', restoreHere);
    return () => {
      window.removeEventListener('scroll', savePosition);
      window.removeEventListener('pagehide', letBrowserRestore);
      window.removeEventListener('pageshow', restoreHere);
    };
  }, [key]);

  useClientLayoutEffect(() => {
    const isNewPage = previousPath.current !== pathname;
    previousPath.current = pathname;
    if (kind === 'POP') {
      const back = positions.get(key);
      if (back !== undefined) window.scrollTo(0, back);
      return;
    }
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
    else if (isNewPage) window.scrollTo(0, 0);
  }, [key, pathname, hash, kind]);

  return null;
}

const useClientLayoutEffect = typeof window === 'undefined' ? useEffect : useLayoutEffect;
