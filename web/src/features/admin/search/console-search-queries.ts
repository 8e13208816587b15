// The search of the console. The server answers with at most five orders, customers and products.
import { queryOptions } from '@tanstack/react-query';
import { get } from '~/api/client';
import { adminKeys } from '~/api/queries/admin-keys';
import type { ConsoleResults } from '~/api/types';
import { formatPhone } from '~/lib/form/validation';
import { formatAmount, formatDate, plural } from '~/lib/format';
import { statusLabel } from '~/shared/order/order-status';
import { adminPath, customerPath, orderPath } from '../console/url-state';

export const MIN_SEARCH_CHARS = 2;
export const MAX_SEARCH_CHARS = 100;

export const consoleSearchQuery = (text: string) =>
  queryOptions({
    queryKey: adminKeys.search(text),
    queryFn: () => get('/api/admin/search', { query: { q: text }, fallback: 'The search failed' }),
    enabled: text.length >= MIN_SEARCH_CHARS,
    staleTime: 10_000,
    gcTime: 60_000,
    retry: false,
  });

export type SearchHit = { key: string; path: string; title: string; note: string };
export type SearchGroup = { title: string; hits: SearchHit[] };

/** Groups without a result are left out. */
export function groupsOf({ orders, customers, products }: ConsoleResults): SearchGroup[] {
  const numbers = { order: '', tracking: 'Parcel ', invoice: 'Invoice ' };
  const groups = [
    {
      title: 'Orders',
      hits: orders.map((order) => ({
        key: `order ${order._id} ${order.matched} ${order.number}`,
        path: orderPath(order._id),
        title: [order.orderNumber, order.customerName].filter(Boolean).join(', '),
        note: [
          order.number && numbers[order.matched] + order.number,
          formatAmount(order.totalAmount),
          order.deletedAt ? 'Deleted' : statusLabel(order.orderStatus),
          formatDate(order.createdAt),
        ]
          .filter(Boolean)
          .join(' · '),
      })),
    },
    {
      title: 'Customers',
      hits: customers.map((customer) => ({
        key: `customer ${customer._id}`,
        path: customerPath(customer._id),
        title: customer.name || customer.email,
        note: [customer.email, customer.phone && formatPhone(customer.phone), plural(customer.orders, 'order')]
          .filter(Boolean)
          .join(' · '),
      })),
    },
    {
      title: 'Products',
      hits: products.map((product) => ({
        key: `product ${product._id}`,
        path: adminPath('products', { product: product._id }),
        title: product.name,
        note: product.isVisible ? 'In the shop' : 'Hidden',
      })),
    },
  ];
  return groups.filter(({ hits }) => hits.length > 0);
}
