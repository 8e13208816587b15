import { expect, test } from 'vitest';
import { parseQuery } from '~/lib/router/query-string';
import { parseSection } from '../../console/url-state';
import { exportPath, figureFilters, isFiltered, orderFilter } from './order-filter';

test('the section defaults to products', () => {
  expect(parseSection(parseQuery(''))).toBe('products');
  expect(parseSection(parseQuery('?section=orders'))).toBe('orders');
  expect(parseSection(parseQuery('?section=cellar'))).toBe('products');
});

test('filters are read from the URL, and only what the fields can show', () => {
  const filter = orderFilter(parseQuery('?status=N%2FA&orderId=%20ab%20&from=2026-11-01&to=tomorrow'));
  expect(filter).toMatchObject({
    status: 'N/A',
    orderId: 'ab',
    userId: '',
    from: '2026-11-01',
    to: '',
    deleted: '',
    todo: '',
  });
  expect(orderFilter(parseQuery('?todo=pack')).todo).toBe('pack');
  expect(orderFilter(parseQuery('?todo=dance')).todo).toBe('');
  expect(orderFilter(parseQuery('?status=lost')).status).toBe('');
  expect(orderFilter(parseQuery('?deleted=true')).deleted).toBe('true');
  expect(orderFilter(parseQuery('?deleted=yes')).deleted).toBe('');
  expect(isFiltered(filter)).toBe(true);
  expect(isFiltered(orderFilter(parseQuery('?page=3')))).toBe(false);
});

test('a figure of the overview sets filters that can be removed one by one', () => {
  const filter = orderFilter(parseQuery('?only=refunded&state=Kerala&weekday=7&hour=0&productId=goda'));
  expect(figureFilters(filter)).toEqual([
    { name: 'only', text: 'With a refund' },
    { name: 'productId', text: 'Product: goda' },
    { name: 'state', text: 'Kerala' },
    { name: 'weekday', text: 'Sundays' },
    { name: 'hour', text: '0:00 to 0:59 IST' },
  ]);
  expect(exportPath(filter)).toMatch('hour=0');
  expect(figureFilters(orderFilter(parseQuery('?only=all&weekday=8&hour=24')))).toEqual([]);
});

test('the export has all orders that the filter finds', () => {
  const filter = orderFilter(parseQuery('?status=N/A&userId=u1'));
  expect(exportPath(filter)).toBe('/api/admin/orders/export.csv?status=N%2FA&userId=u1');
  expect(exportPath(filter, 'all')).toBe('/api/admin/orders/export.csv?status=N%2FA&userId=u1&columns=all');
});
