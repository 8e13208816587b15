// The filter of the order list, read from the URL and written into requests.
import { buildUrl } from '~/api/paths';
import type { OrderStatus } from '~/api/types';
import { parseQuery } from '~/lib/router/query-string';
import { anyText, day, type FilterOf, keyOf, matching, oneOf, pageNumber, urlFilter } from '~/lib/router/url-filter';
import { statusLabel } from '~/shared/order/order-status';

export const ORDER_STATUSES: OrderStatus[] = ['pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'N/A'];
/** Ten, as the specification has it, where none is chosen. */
export const PAGE_SIZES = ['10', '25', '50', '100'] as const;

/** What is to do with an order. */
export const WORK_LABELS = {
  pack: 'To pack',
  ship: 'To ship',
  confirm: 'Paid, without a decision',
  overdue: 'Overdue',
  cancellation: 'Cancellation requested',
  problem: 'Problem reported',
};

/** Orders behind the figures of the overview. */
const ONLY_LABELS = {
  sales: 'Paid, not cancelled',
  refunded: 'With a refund',
  discounted: 'With a discount',
  repeat: 'Of known customers',
  late: 'Late parcels',
  returned: 'Returned parcels',
};

const WEEKDAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

const anyOrder = {
  status: oneOf(ORDER_STATUSES, ''),
  orderId: anyText,
  userId: anyText,
  from: day,
  to: day,
  /** Deleted orders instead of the others. */
  deleted: oneOf(['true'], ''),
  todo: keyOf(WORK_LABELS, ''),
  // The others come from a figure of the overview.
  only: keyOf(ONLY_LABELS, ''),
  productId: anyText,
  category: anyText,
  state: anyText,
  weekday: matching(/^[1-7]$/),
  hour: matching(/^(1?[0-9]|2[0-3])$/),
};
const filterUrl = urlFilter(anyOrder);
export const ordersUrl = urlFilter({ ...anyOrder, page: pageNumber, limit: oneOf(PAGE_SIZES, '10') });

export type OrderFilter = FilterOf<typeof filterUrl>;
export type FilterName = keyof OrderFilter;
export const orderFilter = filterUrl.read;

/** The filters that have a field, as short texts. */
export function fieldFilters(filter: OrderFilter): string[] {
  const texts = [
    filter.status && statusLabel(filter.status),
    filter.todo && WORK_LABELS[filter.todo],
    filter.orderId && `order ${filter.orderId}`,
    filter.userId && `user ${filter.userId}`,
    filter.from && `from ${filter.from}`,
    filter.to && `to ${filter.to}`,
    filter.deleted && 'deleted orders',
  ];
  return texts.filter((text) => text !== '');
}

/** The filters that have no field, as short texts. */
export function figureFilters(filter: OrderFilter): { name: FilterName; text: string }[] {
  const texts: [FilterName, string][] = [
    ['only', filter.only && ONLY_LABELS[filter.only]],
    ['productId', filter.productId && `Product: ${filter.productId}`],
    ['category', filter.category && `Category: ${filter.category}`],
    ['state', filter.state],
    ['weekday', WEEKDAYS[Number(filter.weekday) - 1] ?? ''],
    ['hour', filter.hour && `${filter.hour}:00 to ${filter.hour}:59 IST`],
  ];
  return texts.filter(([, text]) => text).map(([name, text]) => ({ name, text }));
}

/** From the browser's current URL: React may not have rendered the latest change yet. */
export const orderFilterNow = (): OrderFilter => orderFilter(parseQuery(window.location.search));

export const isFiltered = (filter: OrderFilter) => Object.values(filter).some((value) => value !== '');

/** Every order that the filter finds, not only the page that is shown. */
export function exportPath(filter: OrderFilter, columns: '' | 'all' = ''): string {
  return buildUrl('/api/admin/orders/export.csv', {}, { ...filter, columns });
}
