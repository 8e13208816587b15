// Every page URL of the shop, in the order of the specification, with its title and the public queries it is
// rendered from. The build gives their paths to the server (tools/page-list.mjs).
import {
  filtersQuery,
  firstProductsQuery,
  isComplete,
  productListQuery,
  productQuery,
  relatedQuery,
  reviewsQuery,
  searchQuery,
  searchReadingQuery,
  trendingQuery,
} from '~/api/queries/catalogue';
import type { AnyPublicQuery, PublicQuery } from '~/api/queries/public-query';
import type { Shop } from '~/api/types';
import { isForgiving, PAGE_SIZE, SMALL_CATALOGUE } from '~/features/catalogue/page-size';
import { parseSort } from '~/features/catalogue/sort';
import { parseQuery, type QueryString } from '~/lib/router/query-string';
import { categoriesOf, categoryPages, cuisinePages } from './collections';
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
  queries?: (context: RouteContext) => Iterable<AnyPublicQuery>;
  /** A page with the user's own data or a link of theirs: never indexed, and rendered on the server without that data. */
  requiresAuth?: boolean;
  isNotFound?: (context: RouteContext) => boolean;
};

const product = (context: RouteContext) => context.read(productQuery(context.param('id')));

/** A small catalogue is filtered in the browser, a large one by the server, which also finds other spellings. */
function* productListQueries(context: RouteContext, search: string, categories: string[], sort = '') {
  yield firstProductsQuery;
  const start = context.read(firstProductsQuery);
  if (start && !isComplete(start)) yield productListQuery(search, categories, sort, PAGE_SIZE);
  else if (isForgiving(search)) yield productListQuery(search, categories, sort, SMALL_CATALOGUE);
}

export const routes: ShopRoute[] = [
  {
    path: '/',
    page: 'home',
    title: ({ shop }) => (shop?.tagline ? `${shop.name}: ${shop.tagline}` : 'Masalas and spice mixes'),
    queries: () => [trendingQuery],
  },
  ...categoryPages.map(
    ({ path, label }): ShopRoute => ({
      path,
      page: 'category',
      title: `${label} masalas`,
      queries: (context) => productListQueries(context, '', categoriesOf(label)),
    }),
  ),
  ...cuisinePages.map(
    ({ path, label }): ShopRoute => ({
      path,
      page: 'cuisine',
      title: `${label} Cuisine`,
      queries: (context) => productListQueries(context, '', categoriesOf(label)),
    }),
  ),
  {
    path: '/sub-products',
    page: 'sub-products',
    title: ({ query }) => {
      const category = query.all('category').join(', ');
      return category ? `${category}: Products` : 'Products';
    },
    *queries(context) {
      const { query } = context;
      const categories = query.all('category').filter(Boolean);
      yield* productListQueries(context, query.get('search'), categories, parseSort(query.get('sort')));
      yield filtersQuery;
    },
  },
  {
    path: '/search',
    page: 'search',
    title: ({ query }) => `Search Results for ${query.get('q') || query.get('search') || '…'}`,
    queries: ({ query }) => {
      const text = (query.get('q') || query.get('search')).trim();
      return text ? [searchQuery(text), searchReadingQuery(text)] : [];
    },
  },
  {
    path: '/product/:id',
    page: 'product',
    title: (context) => product(context)?.product_name ?? 'Product',
    queries: (context) => {
      const id = context.param('id');
      return [productQuery(id), relatedQuery(id), reviewsQuery(id)];
    },
    isNotFound: (context) => product(context) === null,
  },
  { path: '/checkout', page: 'checkout', title: 'Delivery Address', requiresAuth: true },
  { path: '/payment/status', page: 'payment-result', title: 'Payment', requiresAuth: true },
  { path: '/api/payment/redirect', page: 'payment-result', title: 'Payment', requiresAuth: true },
  { path: '/user/dashboard/profile', page: 'profile', title: 'My Profile', requiresAuth: true },
  { path: '/user/dashboard/orders', page: 'orders', title: 'My Orders', requiresAuth: true },
  { path: '/orders', page: 'orders', title: 'My Orders', requiresAuth: true },
  { path: '/admins', page: 'admin', title: 'Admin console', requiresAuth: true },
  {
    path: '/products',
    page: 'simple-products',
    title: 'Our Products',
    *queries(context) {
      yield filtersQuery;
      const requested = context.query.get('category').toLowerCase();
      const known = context.read(filtersQuery)?.categories.find((one) => one.toLowerCase() === requested);
      yield* productListQueries(context, '', known ? [known] : []);
    },
  },
  { path: '/wishlist', page: 'wishlist', title: 'Your Wishlist', requiresAuth: true },
  { path: '/review', page: 'review', title: 'Your review', requiresAuth: true },
  {
    path: '/about-us',
    page: 'about',
    title: 'About Us',
  },
  {
    path: '/contact-us',
    page: 'contact',
    title: 'Contact Us',
  },
  {
    path: '/cancellation-policy',
    page: 'cancellation',
    title: 'Cancellation & Refund',
  },
  {
    path: '/privacy-policy',
    page: 'privacy',
    title: 'Privacy Policy',
  },
  {
    path: '/shipping-policy',
    page: 'shipping',
    title: 'Shipping & Delivery',
  },
  {
    path: '/terms-and-conditions',
    page: 'terms',
    title: 'Terms and Conditions',
  },
  { path: '/stop-emails', page: 'stop-emails', title: 'No more e-mails', requiresAuth: true },
];

const notFound: ShopRoute = {
  path: '*',
  page: 'not-found',
  title: 'Page not found',
  isNotFound: () => true,
};

export type Match = { route: ShopRoute; params: Record<string, string | undefined> };

const byPath = new Map(routes.map((route) => [route.path.toLowerCase(), route]));
const PRODUCT = '/product/:id';

/** Case and trailing slashes do not matter, as on the server. */
export function matchRoute(pathname: string): Match {
  const path = pathname.replace(/\/+$/, '') || '/';
  const id = /^\/product\/([^/]+)$/i.exec(path)?.[1];
  const route = byPath.get(id === undefined ? path.toLowerCase() : PRODUCT);
  return route ? { route, params: { id } } : { route: notFound, params: {} };
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
