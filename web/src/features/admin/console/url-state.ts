// The state of the admin area in the URL: section, filters, page, edited product, opened message. A reload or a shared link shows the
// same.

import { buildQuery, parseQuery, type QueryString } from '~/lib/router/query-string';
import { useLocation, useNavigate } from '~/lib/router/router';
import { keyOf } from '~/lib/router/url-filter';

/** The sections in the order of the sidebar, by group. The specification's four come first. */
export const SECTION_GROUPS = [
  { title: 'Shop', sections: ['products', 'orders', 'users', 'team'] },
  { title: 'Work', sections: ['to-do', 'pack-and-ship', 'stock'] },
  { title: 'Customers', sections: ['customers', 'problems', 'messages', 'reviews'] },
  { title: 'Money', sections: ['overview', 'invoices', 'discounts'] },
  { title: 'Delivery', sections: ['shipments'] },
] as const;
export type Section = (typeof SECTION_GROUPS)[number]['sections'][number];

export const sectionTitles: Record<Section, string> = {
  products: 'Products',
  orders: 'Orders',
  users: 'Users',
  team: 'Team',
  'to-do': 'To do',
  stock: 'Stock',
  customers: 'Customers',
  problems: 'Problems',
  messages: 'Messages',
  reviews: 'Reviews',
  overview: 'Overview',
  invoices: 'Invoices',
  'pack-and-ship': 'Pack and ship',
  shipments: 'Shipments',
  discounts: 'Discounts',
};

export type UrlValues = Record<string, string | undefined>;

export const parseSection = (query: QueryString): Section =>
  keyOf(sectionTitles, 'products').read(query.get('section'));

export function adminPath(section: Section, values: UrlValues = {}): string {
  return `/admins${buildQuery({ section, ...values })}`;
}

/** The page of an order. */
export const orderPath = (id: string) => adminPath('orders', { order: id });

export const customerPath = (id: string) => adminPath('customers', { customer: id });

export function useAdminUrl() {
  const query = parseQuery(useLocation().search);
  const navigate = useNavigate();
  const section = parseSection(query);
  return {
    query,
    section,
    go: (values: UrlValues, how?: { replace?: boolean }) => void navigate(adminPath(section, values), how),
  };
}
