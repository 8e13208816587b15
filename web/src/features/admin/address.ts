// The console lives by its address: which section, which filters, which page, which product is being edited. A reload
// or a link sent to a colleague shows the same thing.
import { useLocation, useNavigate } from 'react-router';
import { buildQuery, parseQuery, type QueryString } from '~/api/query-string';

export const SECTIONS = ['products', 'orders', 'users', 'team'] as const;
export type Section = (typeof SECTIONS)[number];

export const sectionTitles: Record<Section, string> = {
  products: 'Products',
  orders: 'Orders',
  users: 'Users',
  team: 'Team',
};

export type Values = Record<string, string | undefined>;

export function sectionOf(query: QueryString): Section {
  return SECTIONS.find((section) => section === query.get('section')) ?? 'products';
}

export function adminPath(section: Section, values: Values = {}): string {
  return `/admins${buildQuery({ section, ...values })}`;
}

/** A page number of the address; anything else is the first page. */
export function pageOf(text: string): number {
  const page = Number(text);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

export function useAdminAddress() {
  const query = parseQuery(useLocation().search);
  const navigate = useNavigate();
  const section = sectionOf(query);
  return {
    query,
    section,
    go: (values: Values, how?: { replace?: boolean }) => void navigate(adminPath(section, values), how),
  };
}
