// The filter of the order list, read from the URL and written into requests.
import { buildUrl } from '~/api/paths';
import { parseQuery, type QueryString } from '~/api/query-string';
import type { OrderStatus } from '~/api/types';
import { parsePage } from '../shared/url-state';

export const ORDER_STATUSES: OrderStatus[] = ['pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'N/A'];
export const ORDERS_PER_PAGE = 10;

/** What is to do with an order. */
export const WORK_LABELS = { pack: 'To pack', ship: 'To ship', overdue: 'Overdue' };

/** `deleted` is 'true' for deleted orders instead of the others. */
export const FILTERS = ['status', 'orderId', 'userId', 'from', 'to', 'deleted', 'todo'] as const;
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
    deleted: query.get('deleted') === 'true' ? 'true' : '',
    todo: Object.hasOwn(WORK_LABELS, query.get('todo')) ? query.get('todo') : '',
  };
}

/** From the browser's current URL: React may not have rendered the latest change yet. */
export const orderFilterNow = (): OrderFilter => orderFilter(parseQuery(window.location.search));

export const isFiltered = (filter: OrderFilter) => FILTERS.some((name) => filter[name] !== '');

/** Every order that the filter finds, not only the page that is shown. */
export function exportPath(filter: OrderFilter): string {
  return buildUrl('/api/admin/orders/export.csv', {}, filter);
}

export const orderPage = (query: QueryString) => parsePage(query.get('page'));

/** A date field can show YYYY-MM-DD only, so other values must not filter. */
function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}
