import { expect, test } from 'vitest';
import { firstPack, priceOf } from './price';

const net_wt = [
  { value: 50, unit: 'g' },
  { value: 100, unit: 'g' },
];

test('a price of 0 means that the size is not sold', () => {
  expect([priceOf([65, 120], 50), priceOf([65, 120], 100)]).toEqual([65, 120]);
  expect([priceOf([50, 0], 100), priceOf([0, 90], 50), priceOf([65], 100)]).toEqual([undefined, undefined, undefined]);
});

test('the first pack is the smallest that is sold', () => {
  expect(firstPack({ mrp: [65, 120], net_wt })).toEqual({ grams: 50, price: 65, weight: net_wt[0] });
  expect(firstPack({ mrp: [50, 0], net_wt })).toEqual({ grams: 50, price: 50, weight: net_wt[0] });
  expect(firstPack({ mrp: [0, 90], net_wt })).toEqual({ grams: 100, price: 90, weight: net_wt[1] });
  expect(firstPack({ mrp: [0, 0], net_wt }).price).toBeUndefined();
});
