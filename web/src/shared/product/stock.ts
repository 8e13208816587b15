// How many packs are left, and the words for it. The rules are those of crates/domain/src/stock.rs and product.rs: a pack
// of either size is filled from one stock of grams into a pouch of its size.
import type { Product } from '~/api/types';
import { priceOf } from './price';

export type Stock = Pick<Product, 'stock' | 'packaging_50gms' | 'packaging_100gms'>;
export type Grams = 50 | 100;

/** `LOW_STOCK_PACKS` of the server: below this many packs, customers see how many are left. */
const LOW_STOCK_PACKS = 10;

export const pouchesOf = (stock: Stock, grams: Grams) =>
  grams === 50 ? stock.packaging_50gms : stock.packaging_100gms;

/** The most packs of one size, if only that size were bought. */
export function maxPacks(stock: Stock, grams: Grams): number {
  return Math.max(0, Math.min(Math.floor(stock.stock / grams), pouchesOf(stock, grams)));
}

/** The most packs of both sizes together. Small packs need less spice, so they are counted first. */
export function packsLeft(product: Stock & Pick<Product, 'mrp'>): number {
  const small = priceOf(product.mrp, 50) ? maxPacks(product, 50) : 0;
  const rest = { ...product, stock: product.stock - small * 50 };
  return small + (priceOf(product.mrp, 100) ? maxPacks(rest, 100) : 0);
}

/** Empty where there is plenty. */
export function stockText(packs: number): string {
  return packs <= 0 ? 'Sold out' : packs < LOW_STOCK_PACKS ? `Only ${packs} left` : '';
}

/**
 * Few packs are left, and those of one size are taken from those of the other: counts of each size would promise more than
 * there is. Says the grams, and packs that they fill.
 */
export function sharedStock(product: Stock & Pick<Product, 'mrp'>): { grams: number; text: string } | null {
  if (packsLeft(product) >= LOW_STOCK_PACKS || !priceOf(product.mrp, 50) || !priceOf(product.mrp, 100)) return null;
  const [small, large] = [maxPacks(product, 50), maxPacks(product, 100)];
  if (small === 0 || large === 0 || small * 50 + large * 100 <= product.stock) return null;
  const rest = Math.min(small, Math.floor((product.stock - large * 100) / 50));
  const grams = large * 100 + rest * 50;
  const others = rest > 0 ? `and ${WORDS[rest]} 50 g` : `or ${WORDS[small]} 50 g`;
  return { grams, text: `${grams} g left: ${WORDS[large]} 100 g ${others}` };
}

/** Of fewer packs than `LOW_STOCK_PACKS`. */
const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** The smallest pack that is sold and in stock, for a button that adds one pack; undefined where it is sold out. */
export function availablePack(product: Stock & Pick<Product, 'mrp'>): Grams | undefined {
  return ([50, 100] as const).find((grams) => priceOf(product.mrp, grams) && maxPacks(product, grams) > 0);
}
