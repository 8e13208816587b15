// The orders behind a figure: the orders section with its filter in the URL.

import { adminPath, type UrlValues } from '../console/url-state';

export type OrdersPath = (filter?: UrlValues) => string;

/** Sales of these days, unless the filter says otherwise. */
export const ordersPathOf =
  (from: string, to: string): OrdersPath =>
  (filter = {}) =>
    adminPath('orders', { from, to, only: 'sales', ...filter });
