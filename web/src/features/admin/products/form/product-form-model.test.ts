import { expect, test } from 'vitest';
import { errorFrom } from '~/api/error';
import type { Product, Shop } from '~/api/types';
import {
  checkProduct,
  mergeEdits,
  newValues,
  parseCount,
  rejectedField,
  toFormValues,
  toRequest,
} from './product-form-model';

const shop = {
  fssai: '10026022000417',
  legalName: 'Mirasa Foods',
  address: 'Pune',
  supportEmail: 'care@mirasa.example',
  supportPhone: '+91 20 5550 0142',
} as Shop;

const product = {
  ...newValues(shop),
  rating: null,
  _id: 'goda-masala',
  product_name: 'Goda Masala',
  category: ['Veg'],
  ingredients: ['Coriander seed'],
  recipe: [],
  why_you_will_love_it: [],
  images: ['goda pouch.webp'],
  image_details: [],
  mrp: [65, 120.5],
  net_wt: [{ value: 50, unit: 'g' }],
  gst_rate_percent: 5,
  stock: 400,
  packaging_50gms: 3,
  packaging_100gms: 0,
  trendingRank: 3,
  updatedAt: '',
  version: 7,
} as Product;

const filledIn = () => ({
  ...newValues(shop),
  product_name: 'Goda Masala',
  category: ['Veg', ' '],
  ingredients: ['Coriander seed'],
  mrp: ['65', '120.50'],
});

test('required: product_name, at least one category, mrp, net_wt, ingredients', () => {
  const errors = checkProduct({ ...newValues(shop), net_wt: [{ value: '', unit: 'g' }] }, null);
  expect(Object.keys(errors).sort()).toEqual([
    'category.0',
    'ingredients.0',
    'mrp.0',
    'mrp.1',
    'net_wt.0',
    'product_name',
  ]);
  expect(checkProduct(filledIn(), null)).toEqual({});
});

test('mrp is a number, min 0, step 0.01; net_wt a value min 0 and a unit', () => {
  const of = (price: string) => checkProduct({ ...filledIn(), mrp: [price] }, null)['mrp.0'];
  expect([of('0'), of('65.5'), of('65.55')]).toEqual([undefined, undefined, undefined]);
  expect([of('-1'), of('65.555'), of('abc'), of('1e3')].every(Boolean)).toBe(true);
  const weigh = (value: string, unit: string) =>
    checkProduct({ ...filledIn(), net_wt: [{ value, unit }] }, null)['net_wt.0'];
  expect(weigh('0', 'g')).toBeUndefined();
  expect(weigh('-5', 'g')).toBeTruthy();
  expect(weigh('50', ' ')).toBeTruthy();
});

test('counts are numbers, min 0; an edit also takes a change, which cannot take more than there is', () => {
  expect(checkProduct({ ...filledIn(), stock: '-1' }, null).stock).toBeTruthy();
  expect(checkProduct({ ...filledIn(), stock: '1.5' }, null).stock).toBeTruthy();
  const edit = (stock: string) => checkProduct({ ...toFormValues(product), stock }, product).stock;
  expect(['', '0', '450', '+500', '-400'].map(edit)).toEqual(Array(5).fill(undefined));
  expect(edit('-401')).toBe('Only 400 are there');
  for (const text of ['lots', '1.5', '4 5', '+', '400+50', '1e3']) expect(edit(text), text).toContain('0 or more');
  expect([parseCount('−20'), parseCount('+5'), parseCount(''), parseCount('5')]).toEqual([
    { change: -20 },
    { change: 5 },
    { change: 0 },
    { counted: 5 },
  ]);
});

test('a new product is sent whole, trimmed, without empty rows', () => {
  const body = toRequest({ ...filledIn(), images: [' a.webp ', ''], stock: '500' }, null);
  expect(body).toMatchObject({
    category: ['Veg'],
    images: ['a.webp'],
    recipe: [],
    mrp: [65, 120.5],
    net_wt: [
      { value: 50, unit: 'g' },
      { value: 100, unit: 'g' },
    ],
    stock: 500,
    packaging_50gms: 0,
    trendingRank: null,
  });
  expect('version' in body).toBe(false);
});

test('an edit sends what was counted beside what was shown, or the change, and the version it started from', () => {
  const body = toRequest({ ...toFormValues(product), stock: '450', packaging_50gms: '-2' }, product);
  expect(body).toMatchObject({ stock: 450, stock_seen: 400, packaging_50gms_change: -2, version: 7, trendingRank: 3 });
  expect(['stock_change', 'packaging_50gms', 'packaging_50gms_seen'].some((name) => name in body)).toBe(false);
  const untouched = toRequest(toFormValues(product), product);
  expect(untouched).toMatchObject({ packaging_100gms: 0, packaging_100gms_seen: 0 });
});

test('packs sold while the form is open stay sold', () => {
  const base = toFormValues(product);
  const theirs = toFormValues({ ...product, stock: 380 });
  const again = (stock: string) => mergeEdits(base, { ...base, stock }, theirs);
  expect(again('400').values.stock).toBe('380');
  expect(again('450').values.stock).toBe('+50');
  expect(again('390').values.stock).toBe('-10');
  expect(again('-20').values.stock).toBe('-20');
  expect(again('450').conflicts).toEqual([]);
});

test('lists keep at least one row', () => {
  const values = toFormValues({ ...product, category: [], mrp: [], net_wt: [] });
  expect([values.category, values.recipe, values.mrp, values.net_wt.length]).toEqual([[''], [''], [''], 1]);
});

test('my changes are merged into what another admin saved, and conflicts are named', () => {
  const base = toFormValues(product);
  const mine = { ...base, description: 'Mine', best_before: '6 Months' };
  const theirs = { ...base, description: 'Theirs', mrp: ['70', '130'] };
  const { values, conflicts } = mergeEdits(base, mine, theirs);
  expect(values.mrp).toEqual(['70', '130']);
  expect([values.description, values.best_before]).toEqual(['Mine', '6 Months']);
  expect(conflicts).toEqual(['description']);
});

test('a server error finds its field', () => {
  const rejected = (field?: string) => rejectedField(errorFrom(400, { error: 'mrp is wrong', field }, ''));
  expect(rejected('product_name')).toBe('product_name');
  expect(rejected('net_wt')).toBe('net_wt.0');
  expect(rejected('version')).toBeUndefined();
  expect(rejected()).toBeUndefined();
});
