// The header: brand, links, search, theme, user menu, cart. On a phone the links fold into a menu and the search
// has a line of its own. On the checkout there are only the brand, the way back to the cart, and help.
import { useEffect, useRef, useState } from 'react';
import { UserMenu } from '~/features/auth/user-menu';
import { BackToCart, CartButton } from '~/features/cart/cart-button';
import { SearchBox } from '~/features/search/search-box';
import { setSearchText } from '~/features/search/search-text';
import { HydrationIsland } from '~/lib/hydration/hydration-island';
import { buildQuery, parseQuery } from '~/lib/router/query-string';
import { currentLocation, Link, NavLink, useLocation, useNavigate } from '~/lib/router/router';
import { createUrlText } from '~/lib/router/url-text';
import { DeliveryOffer } from '~/shared/delivery/charge';
import { IconButton } from '~/ui/button';
import { Icon } from '~/ui/graphics/icons';
import { ThemeToggle } from '~/ui/theme-toggle';
import { Brand } from './brand';

const links = [
  { to: '/', label: 'Home' },
  { to: '/sub-products', label: 'Products' },
  { to: '/contact-us', label: 'Contact Us' },
  { to: '/about-us', label: 'About Us' },
];

export function Header() {
  const { pathname } = useLocation();
  const [menuOpen, setMenuOpen] = useState(false);
  const search = useSearchInUrl();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setMenuOpen(false), [pathname]);

  if (pathname === '/checkout') return <CheckoutHeader />;
  return (
    <header data-head className={HEADER}>
      <Announcement />
      {/* With large text the controls at the right get a line of their own. */}
      <div className="page-width flex min-h-16 flex-wrap items-center gap-x-1 sm:gap-x-2 lg:min-h-18 lg:gap-x-4">
        <IconButton
          label={menuOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={menuOpen}
          aria-controls="menu"
          className="-ml-2 lg:hidden"
          onClick={() => setMenuOpen(!menuOpen)}
        >
          <Icon name={menuOpen ? 'close' : 'menu'} />
        </IconButton>
        <HomeLink />
        <nav aria-label="Main" className="ml-4 flex gap-1 max-lg:hidden">
          {links.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              className="inline-flex min-h-11 items-center rounded-full px-3.5 font-medium transition hover:bg-paper-deep aria-[current=page]:text-chilli"
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <HydrationIsland>
          <div className="ml-auto max-w-80 min-w-0 flex-[1_1_3rem] max-md:hidden">
            <SearchBox {...search} />
          </div>
        </HydrationIsland>
        <div className="-mr-2.5 ml-auto flex items-center md:mr-0 md:ml-0">
          <ThemeToggle />
          <UserMenu />
          <CartButton />
        </div>
      </div>
      <HydrationIsland>
        <div className="page-width pb-3 md:hidden">
          <SearchBox {...search} />
        </div>
      </HydrationIsland>
      <nav id="menu" aria-label="Menu" hidden={!menuOpen} className="border-t border-line bg-surface lg:hidden">
        <ul className="page-width py-2">
          {links.map(({ to, label }) => (
            <li key={to}>
              <NavLink
                to={to}
                onClick={() => setMenuOpen(false)}
                className="flex min-h-13 items-center border-b border-line font-display text-xl last:border-0 aria-[current=page]:text-chilli"
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

/** On a phone its first line scrolls away: what sticks is as low as without it. */
const HEADER = 'sticky top-0 z-30 border-b border-line bg-paper/92 backdrop-blur-md max-sm:-top-7';

function Announcement() {
  return (
    <p className="flex min-h-7 items-center justify-center bg-chilli-fill px-4 text-center text-[0.8125rem] font-semibold text-on-chilli sm:py-1.5">
      <span>
        <DeliveryOffer /> within 3-5 days
        <span className="max-sm:hidden">, anywhere in India · No preservatives, no fillers</span>
      </span>
    </p>
  );
}

/** Without what leads away from paying. */
function CheckoutHeader() {
  return (
    <header data-head className={HEADER}>
      <Announcement />
      <div className="page-width flex min-h-16 flex-wrap items-center gap-x-2 lg:min-h-18">
        <HomeLink />
        <div className="-mr-3 ml-auto flex flex-wrap items-center">
          <BackToCart />
          <Link
            to="/contact-us"
            className="inline-flex min-h-11 items-center rounded-full px-3 font-semibold transition hover:bg-paper-deep"
          >
            <span>
              Help<span className="max-sm:sr-only"> and contact</span>
            </span>
          </Link>
        </div>
      </div>
    </header>
  );
}

function HomeLink() {
  return (
    <Link to="/" className="rounded-md">
      <Brand />
      <span className="sr-only">: Home</span>
    </Link>
  );
}

const LIST = '/sub-products';
const searchOf = (query: string) => parseQuery(query).get('search');

/** The state of the product list is its URL: searching navigates to it, and typing on it replaces the URL. */
function useSearchInUrl() {
  const { pathname, search, key } = useLocation();
  const navigate = useNavigate();
  const go = useRef(navigate);
  const [urlText] = useState(() =>
    createUrlText({
      read: () => searchOf(window.location.search),
      write: (text) => {
        const query = parseQuery(window.location.search);
        const [category, sort] = [query.all('category'), query.get('sort')];
        void go.current(LIST + buildQuery({ search: text, category, sort }), { replace: true });
      },
      visit: () => currentLocation().key,
    }),
  );

  useEffect(() => {
    go.current = navigate;
  });
  const isFirst = useRef(true);
  useEffect(() => {
    const arrives = !isFirst.current;
    isFirst.current = false;
    if (pathname === LIST) {
      const shown = searchOf(search);
      if (urlText.observe(shown, key)) setSearchText(shown);
      return;
    }
    urlText.reset();
    if (pathname === '/' && arrives) setSearchText('');
  }, [urlText, pathname, search, key]);

  return {
    onSearch: (text: string) => {
      urlText.reset(text);
      void navigate(LIST + buildQuery({ search: text }));
    },
    onType: (text: string) => {
      if (window.location.pathname === LIST) urlText.type(text);
    },
    onLeave: urlText.flush,
  };
}
