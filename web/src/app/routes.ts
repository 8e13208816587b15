// Every address of the shop, in the order of the specification, with its title, what search engines read, and the
// public data it is rendered from. The program has the same list in crates/http/src/page_routes.rs.
import { matchPath } from 'react-router';
import {
  filters,
  isWhole,
  oneProduct,
  relatedProducts,
  searchResults,
  shelfPart,
  shelfStart,
  trendingProducts,
} from '~/api/catalogue';
import type { AnyPublicQuery, PublicQuery } from '~/api/public-query';
import { parseQuery, type QueryString } from '~/api/query-string';
import type { Shop } from '~/api/types';
import { FIRST_PART } from '~/features/catalogue/filtering';
import { categoryPages, cuisinePages, shelvesOf } from './collections';
import type { PageKey } from './page-keys';

export type RouteContext = {
  pathname: string;
  param: (name: string) => string;
  query: QueryString;
  read: <Data>(query: PublicQuery<Data>) => Data | undefined;
  shop: Shop | undefined;
};

export type ShopRoute = {
  path: string;
  page: PageKey;
  title: string | ((context: RouteContext) => string);
  description?: string | ((context: RouteContext) => string);
  queries?: (context: RouteContext) => Iterable<AnyPublicQuery>;
  /** A page about one person: never indexed. It is rendered for nobody; what is theirs comes afterwards. */
  personal?: boolean;
  missing?: (context: RouteContext) => boolean;
};

const product = (context: RouteContext) => context.read(oneProduct(context.param('id')));

/** A small shop's shelf is narrowed in the browser, a large one's by the program. */
function* shelf(context: RouteContext, search: string, categories: string[]) {
  yield shelfStart;
  const start = context.read(shelfStart);
  if (start && !isWhole(start)) yield shelfPart(search, categories, FIRST_PART);
}

export const routes: ShopRoute[] = [
  {
    path: '/',
    page: 'home',
    title: ({ shop }) => (shop?.tagline ? `${shop.name}: ${shop.tagline}` : 'Masalas and spice mixes'),
    description:
      'Small-batch Indian masalas and mixes from kitchens of the world, packed in 50 g and 100 g pouches and delivered within 3-5 days.',
    queries: () => [trendingProducts],
  },
  ...categoryPages.map(
    ({ path, label }): ShopRoute => ({
      path,
      page: 'category',
      title: `${label} masalas`,
      description: `Our ${label} masalas and mixes, in 50 g and 100 g pouches.`,
      queries: (context) => shelf(context, '', shelvesOf(label)),
    }),
  ),
  ...cuisinePages.map(
    ({ path, label }): ShopRoute => ({
      path,
      page: 'cuisine',
      title: `${label} Cuisine`,
      description: `Mixes for ${label} cooking at home, in 50 g and 100 g pouches.`,
      queries: (context) => shelf(context, '', shelvesOf(label)),
    }),
  ),
  {
    path: '/sub-products',
    page: 'sub-products',
    title: ({ query }) => {
      const category = query.all('category').join(', ');
      return category ? `${category}: Products` : 'Products';
    },
    description: 'Every masala and mix we make. Filter by category, or search by name.',
    *queries(context) {
      yield* shelf(context, context.query.get('search'), context.query.all('category').filter(Boolean));
      yield filters;
    },
  },
  {
    path: '/search',
    page: 'search',
    title: ({ query }) => `Search Results for ${query.get('q') || query.get('search') || '…'}`,
    queries: ({ query }) => {
      const text = (query.get('q') || query.get('search')).trim();
      return text ? [searchResults(text)] : [];
    },
  },
  {
    path: '/product/:id',
    page: 'product',
    title: (context) => product(context)?.product_name ?? 'Product',
    description: (context) => product(context)?.description ?? '',
    queries: (context) => [oneProduct(context.param('id')), relatedProducts(context.param('id'))],
    missing: (context) => product(context) === null,
  },
  { path: '/checkout', page: 'checkout', title: 'Delivery Address', personal: true },
  { path: '/payment/status', page: 'payment-result', title: 'Payment', personal: true },
  { path: '/api/payment/redirect', page: 'payment-result', title: 'Payment', personal: true },
  { path: '/user/dashboard/profile', page: 'profile', title: 'My Profile', personal: true },
  { path: '/user/dashboard/orders', page: 'orders', title: 'My Orders', personal: true },
  { path: '/orders', page: 'orders', title: 'My Orders', personal: true },
  { path: '/admins', page: 'admin', title: 'Admin console', personal: true },
  {
    path: '/products',
    page: 'simple-products',
    title: 'Our Products',
    description: 'All our masalas at a glance: ingredients, a recipe, prices and pack sizes.',
    *queries(context) {
      yield filters;
      const asked = context.query.get('category').toLowerCase();
      const known = context.read(filters)?.categories.find((one) => one.toLowerCase() === asked);
      yield* shelf(context, '', known ? [known] : []);
    },
  },
  { path: '/wishlist', page: 'wishlist', title: 'Your Wishlist', personal: true },
  {
    path: '/about-us',
    page: 'about',
    title: 'About Us',
    description: 'How a Pune kitchen became a masala house: our story, our philosophy and what we promise.',
  },
  {
    path: '/contact-us',
    page: 'contact',
    title: 'Contact Us',
    description: 'Write to us, call us or visit us in Pune. We answer every message.',
  },
  {
    path: '/cancellation-policy',
    page: 'cancellation',
    title: 'Cancellation & Refund',
    description: 'When an order can be cancelled, how damage is reported, and when refunds arrive.',
  },
  {
    path: '/privacy-policy',
    page: 'privacy',
    title: 'Privacy Policy',
    description: 'What we keep about you, why, for how long, and how to have it deleted.',
  },
  {
    path: '/shipping-policy',
    page: 'shipping',
    title: 'Shipping & Delivery',
    description: 'Dispatch within 0-7 business days, delivery within 3-5 days, anywhere in India.',
  },
  {
    path: '/terms-and-conditions',
    page: 'terms',
    title: 'Terms and Conditions',
    description: 'The terms on which we sell and you buy.',
  },
];

const notFound: ShopRoute = {
  path: '*',
  page: 'not-found',
  title: 'Page not found',
  personal: true,
  missing: () => true,
};

export type Match = { route: ShopRoute; params: Record<string, string | undefined> };

export function matchRoute(pathname: string): Match {
  for (const route of routes) {
    const match = matchPath({ path: route.path, end: true }, pathname);
    if (match) return { route, params: match.params };
  }
  return { route: notFound, params: {} };
}

export function routeContext(
  { params }: Match,
  pathname: string,
  search: string,
  read: RouteContext['read'],
  shop: Shop | undefined,
): RouteContext {
  return { pathname, param: (name) => params[name] ?? '', query: parseQuery(search), read, shop };
}
