import { expect, test } from 'vitest';
import { availablePack, maxPacks, packsLeft, sharedStock, stockText } from './stock';

const product = { stock: 420, packaging_50gms: 3, packaging_100gms: 10, mrp: [65, 120] };

test('the most packs of a size is the lesser of the grams and the pouches', () => {
  expect([maxPacks(product, 50), maxPacks(product, 100)]).toEqual([3, 4]);
  expect(maxPacks({ ...product, stock: 0 }, 50)).toBe(0);
});

test('both sizes share one stock of grams', () => {
  expect(packsLeft(product), '3 × 50 g, and 2 × 100 g of the other 270 g').toBe(5);
  expect(packsLeft({ ...product, packaging_50gms: 99 }), '8 × 50 g, and nothing of the other 20 g').toBe(8);
  expect(packsLeft({ ...product, stock: 49 })).toBe(0);
  expect(packsLeft({ ...product, packaging_50gms: 0, packaging_100gms: 0 })).toBe(0);
});

test('a size without a price is not counted', () => {
  expect(packsLeft({ ...product, mrp: [65, 0] })).toBe(3);
  expect(packsLeft({ ...product, mrp: [0, 120] })).toBe(4);
  expect(packsLeft({ ...product, mrp: [] })).toBe(0);
});

test('the words below ten packs', () => {
  expect([0, 1, 3, 9, 10, 400].map(stockText)).toEqual([
    'Sold out',
    'Only 1 left',
    'Only 3 left',
    'Only 9 left',
    '',
    '',
  ]);
});

test('the pack to add is the smallest that is in stock', () => {
  expect(availablePack(product)).toBe(50);
  expect(availablePack({ ...product, packaging_50gms: 0 })).toBe(100);
  expect(availablePack({ ...product, mrp: [0, 120] })).toBe(100);
  expect(availablePack({ ...product, stock: 70, packaging_50gms: 0 })).toBeUndefined();
});

test('few grams that both sizes share are said once', () => {
  const of = (changes: object) => sharedStock({ ...product, packaging_50gms: 30, ...changes })?.text;
  expect(of({ stock: 150 })).toBe('150 g left: one 100 g and one 50 g');
  expect(of({ stock: 320 })).toBe('300 g left: three 100 g or six 50 g');
  expect(of({ stock: 420, packaging_50gms: 3 })).toBe('400 g left: four 100 g or three 50 g');
  expect(of({ stock: 80 }), 'one size only').toBeUndefined();
  expect(of({ stock: 150, mrp: [65, 0] }), 'one size is sold').toBeUndefined();
  expect(of({ stock: 900, packaging_50gms: 2, packaging_100gms: 3 }), 'all pouches can be filled').toBeUndefined();
  expect(of({ stock: 500 }), 'plenty').toBeUndefined();
});
