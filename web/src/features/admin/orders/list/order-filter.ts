// The filter of the order list, read from the URL and written into requests.
import { buildUrl } from '~/api/paths';
import type { OrderStatus } from '~/api/types';
import { parseQuery, type QueryString } from '~/lib/router/query-string';
import { parsePage } from '../../console/url-state';

export const ORDER_STATUSES: OrderStatus[] = ['pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'N/A'];
export const ORDERS_PER_PAGE = 10;

/** What is to do with an order. */
export const WORK_LABELS = {
  pack: 'To pack',
  ship: 'To ship',
  confirm: 'Paid, without a decision',
  overdue: 'Overdue',
  cancellation: 'Cancellation requested',
};

/** `deleted` is 'true' for deleted orders instead of the others. */
/** The last six come from a figure of the overview. */
export const FILTERS = [
  'status',
  'orderId',
  'userId',
  'from',
  'to',
  'deleted',
  'todo',
  'only',
  'productId',
  'category',
  'state',
  'weekday',
  'hour',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type OrderFilter = Record<FilterName, string>;

/** Orders behind the figures of the overview. */
const ONLY_LABELS: Record<string, string> = {
  sales: 'Paid, not cancelled',
  refunded: 'With a refund',
  discounted: 'With a discount',
  repeat: 'Of known customers',
  late: 'Late parcels',
  returned: 'Returned parcels',
};

const WEEKDAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

/** The filters that have no field, as short texts. */
export function figureFilters(filter: OrderFilter): { name: FilterName; text: string }[] {
  const texts: [FilterName, string][] = [
    ['only', ONLY_LABELS[filter.only] ?? ''],
    ['productId', filter.productId && `Product: ${filter.productId}`],
    ['category', filter.category && `Category: ${filter.category}`],
    ['state', filter.state],
    ['weekday', WEEKDAYS[Number(filter.weekday) - 1] ?? ''],
    ['hour', filter.hour && `${filter.hour}:00 to ${filter.hour}:59 IST`],
  ];
  return texts.filter(([, text]) => text).map(([name, text]) => ({ name, text }));
}

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
    only: Object.hasOwn(ONLY_LABELS, query.get('only')) ? query.get('only') : '',
    productId: query.get('productId').trim(),
    category: query.get('category').trim(),
    state: query.get('state').trim(),
    weekday: /^[1-7]$/.test(query.get('weekday')) ? query.get('weekday') : '',
    hour: /^(1?[0-9]|2[0-3])$/.test(query.get('hour')) ? query.get('hour') : '',
  };
}

/** From the browser's current URL: React may not have rendered the latest change yet. */
export const orderFilterNow = (): OrderFilter => orderFilter(parseQuery(window.location.search));

export const isFiltered = (filter: OrderFilter) => FILTERS.some((name) => filter[name] !== '');

/** Every order that the filter finds, not only the page that is shown. */
export function exportPath(filter: OrderFilter, columns: '' | 'all' = ''): string {
  return buildUrl('/api/admin/orders/export.csv', {}, { ...filter, columns });
}

export const orderPage = (query: QueryString) => parsePage(query.get('page'));

/** A date field can show YYYY-MM-DD only, so other values must not filter. */
function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}
