// What the list of orders is filtered by, as it stands in the address and as the program is asked.
import { buildQuery, parseQuery, type QueryString } from '~/api/query-string';
import type { OrderStatus } from '~/api/types';
import { pageOf } from './address';

export const ORDER_STATUSES: OrderStatus[] = ['pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'N/A'];
export const ORDERS_A_PAGE = 10;

export const FILTERS = ['status', 'orderId', 'userId', 'from', 'to'] as const;
export type FilterName = (typeof FILTERS)[number];
export type OrderFilter = Record<FilterName, string>;

export function orderFilter(query: QueryString): OrderFilter {
  const status = query.get('status');
  return {
    status: ORDER_STATUSES.some((known) => known === status) ? status : '',
    orderId: query.get('orderId').trim(),
    userId: query.get('userId').trim(),
    from: dayOf(query.get('from')),
    to: dayOf(query.get('to')),
  };
}

/** As the URL has it at this moment: two quick changes may come before the first has been shown. */
export const orderFilterNow = (): OrderFilter => orderFilter(parseQuery(window.location.search));

export const isFiltered = (filter: OrderFilter) => FILTERS.some((name) => filter[name] !== '');

export function ordersCall(filter: OrderFilter, page: number): string {
  return `/api/admin/orders${buildQuery({ ...filter, page: String(page), limit: String(ORDERS_A_PAGE) })}`;
}

/** Every order that the filter finds, not only the page that is shown. */
export function exportCall(filter: OrderFilter): string {
  return `/api/admin/orders/export.csv${buildQuery(filter)}`;
}

export const orderPage = (query: QueryString) => pageOf(query.get('page'));

/** A date field shows nothing but YYYY-MM-DD, so nothing else may filter unseen. */
function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}
