import { expect, it } from 'vitest';
import type { ChangedItem } from '~/api/types';
import { buyAgainNote } from './buy-again';

const changed = (difference: string, more: Partial<ChangedItem> = {}): ChangedItem => ({
  productId: 'goda-masala',
  productName: 'Goda Masala',
  grams: 50,
  ordered: 3,
  added: 0,
  difference,
  oldPrice: 65,
  newPrice: 65,
  ...more,
});

it('there is nothing to say where the cart has everything', () => {
  expect(buyAgainNote({ missing: [] }, 3)).toBeNull();
});

it('says what is missing, what is fewer, and what costs more', () => {
  const missing = [
    changed('not_sold', { newPrice: null }),
    changed('sold_out', { productName: 'Chai Masala', grams: 100 }),
    changed('fewer_left', { added: 1 }),
    changed('fewer_left', { added: 2, newPrice: 70 }),
    changed('cart_full'),
    changed('price_increased', { added: 3, newPrice: 72.5 }),
  ];
  expect(buyAgainNote({ missing }, 7)).toEqual({
    title: 'Not everything is as you ordered it',
    lines: [
      'Goda Masala (50 g) is no longer sold.',
      'Chai Masala (100 g) is sold out.',
      'Goda Masala (50 g): 1 of 3 packs added, no more are left.',
      'Goda Masala (50 g): 2 of 3 packs added, no more are left. It costs ₹70 now, ₹65 before.',
      'Goda Masala (50 g) does not fit: your cart has as many products as it can hold.',
      'Goda Masala (50 g) costs ₹72.50 now, ₹65 before.',
    ],
  });
});

it('the title says whether anything was added', () => {
  const title = (missing: ChangedItem[], count: number) => buyAgainNote({ missing }, count)?.title;
  expect(title([changed('sold_out'), changed('not_sold')], 2)).toBe('Nothing of this order can be bought now');
  expect(title([changed('sold_out')], 2)).toBe('Not everything is as you ordered it');
  expect(title([changed('price_increased', { added: 3, newPrice: 70 })], 1)).toBe('Some prices have changed since');
});
