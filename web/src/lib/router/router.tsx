// The router: one location for the app, links, and navigation through the History API. Written here because the shop
// needs only this part of a router library, which was 11 kB of the first load (docs/decisions/0020-a-lighter-first-load.md).
import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { openAllIslands } from '../hydration/hydration-gate';
import { historyEntry, layerDepth, onPop, pushEntry, replaceEntry, syncSoon, whenSettled } from './layers';

export type Location = { pathname: string; search: string; hash: string; state: unknown; key: string };
export type NavigationType = 'POP' | 'PUSH' | 'REPLACE';
export type NavigateOptions = { replace?: boolean; state?: unknown };
export type Navigate = (to: string | number, options?: NavigateOptions) => void;

type Visit = { location: Location; type: NavigationType };

const VisitContext = createContext<Visit | undefined>(undefined);
const NavigateContext = createContext<Navigate>(() => {
  throw new Error('A server render cannot navigate.');
});

/** For a server render: a location that does not change. */
export function StaticRouter({ location, children }: { location: Location; children: ReactNode }) {
  return <VisitContext value={{ location, type: 'POP' }}>{children}</VisitContext>;
}

/** Shows a new location: calls `show`, which renders it. */
export type OnNavigate = (
  from: Location,
  to: Location,
  show: (how: 'later' | 'now', flush?: (act: () => void) => void) => void,
) => void;

type RouterProps = { children: ReactNode; onNavigate?: OnNavigate };

export function BrowserRouter({ children, onNavigate }: RouterProps) {
  const [visit, setVisit] = useState<Visit>(() => ({ location: currentLocation(), type: 'POP' }));
  const [shown] = useState(() => ({ location: visit.location }));

  const navigate = useMemo(() => {
    const show = (type: NavigationType) => {
      const from = shown.location;
      const location = currentLocation();
      shown.location = location;
      // A part of the page that is not hydrated must be before it can be rendered with a new location.
      openAllIslands();
      const next = { location, type };
      const later = () => startTransition(() => setVisit(next));
      if (!onNavigate) return later();
      onNavigate(from, location, (how, flush) => (how === 'now' && flush ? flush(() => setVisit(next)) : later()));
    };
    const go: Navigate = (to, { replace = false, state } = {}) => {
      // Entries of layers are not pages.
      if (typeof to === 'number') return window.history.go(to < 0 ? to - layerDepth() : to);
      const entry = { key: Math.random().toString(36).slice(2, 10), state };
      if (replace) replaceEntry(entry, to);
      else pushEntry(entry, to);
      show(replace ? 'REPLACE' : 'PUSH');
    };
    const pop = () => {
      onPop();
      // The same page, with or without a layer.
      if (!isSame(shown.location, currentLocation())) show('POP');
    };
    return Object.assign(((...args) => whenSettled(() => go(...args))) as Navigate, { pop });
  }, [shown, onNavigate]);

  useEffect(() => {
    window.addEventListener('popstate', navigate.pop);
    // The page was loaded again while a layer was open.
    syncSoon();
    return () => window.removeEventListener('popstate', navigate.pop);
  }, [navigate]);

  return (
    <NavigateContext value={navigate}>
      <VisitContext value={visit}>{children}</VisitContext>
    </NavigateContext>
  );
}

/** Of the browser, which may be newer than what React shows. */
export function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  const { state = null, key = 'default' } = historyEntry();
  return { pathname, search, hash, state, key };
}

const isSame = (one: Location, other: Location) =>
  (['key', 'pathname', 'search', 'hash'] as const).every((part) => one[part] === other[part]);

function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (!visit) throw new Error('This component needs a router.');
  return visit;
}

export const useLocation = (): Location => useVisit().location;
export const useNavigationType = (): NavigationType => useVisit().type;
/** The same function as long as the app runs: a component that only navigates does not render again. */
export const useNavigate = (): Navigate => useContext(NavigateContext);

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { to: string };

export function Link({ to, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event) || (rest.target && rest.target !== '_self')) return;
    event.preventDefault();
    const { pathname, search, hash } = window.location;
    // A link to the page that is shown is not another entry of the history.
    navigate(to, { replace: to === pathname + search + hash });
  };
  return <a {...rest} href={to} onClick={follow} />;
}

/** A link that is marked while its path is the current one. */
export function NavLink(props: LinkProps) {
  const isCurrent = useLocation().pathname === props.to;
  return <Link {...props} aria-current={isCurrent ? 'page' : undefined} />;
}

function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
}
