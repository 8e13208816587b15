import { expect, test } from 'vitest';
import type { Product } from '~/api/types';
import { parseSort, SORTS } from './sort';
import { sortProducts } from './sorting';

const product = (product_name: string, trendingRank: number | null, mrp: number[]) =>
  ({ product_name, trendingRank, mrp, net_wt: [] as Product['net_wt'] }) as Product;
const shop = [
  product('goda', null, [65, 120]),
  product('Chai', 2, [0, 60]),
  product('Rasam', 1, []),
  product('Amti', null, [65]),
];

test('a list is sorted by rank, price, name or age, as on the server', () => {
  const sorted = Object.fromEntries(
    SORTS.map((sort) => [
      sort,
      sortProducts(shop, sort)
        .map((each) => each.product_name)
        .join(' '),
    ]),
  );
  expect(sorted).toEqual({
    popular: 'Rasam Chai goda Amti',
    price: 'Chai goda Amti Rasam',
    name: 'Amti Chai goda Rasam',
    new: 'Amti Rasam Chai goda',
  });
});

test('an unknown order is the default', () => {
  expect([parseSort(''), parseSort('price'), parseSort('cheapest')]).toEqual(['popular', 'price', 'popular']);
});
