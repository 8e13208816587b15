// Why packs cannot be sold, and what they cost. The server checks the same again; here the customer sees it at once.
import { priceOf } from '~/shared/product/price';
import { type Grams, pouchesOf, type Stock } from '~/shared/product/stock';

export type Quantities = { qty_50g: number; qty_100g: number };

export const NOT_ENOUGH_SPICE = 'Not enough spice stock available';
export const notEnoughPackaging = (grams: Grams) => `Not enough ${grams}g packaging available`;

/** The first reason why these packs cannot be sold, or `null`. */
export function stockError(stock: Stock, { qty_50g, qty_100g }: Quantities): string | null {
  if (qty_50g > stock.packaging_50gms) return notEnoughPackaging(50);
  if (qty_100g > stock.packaging_100gms) return notEnoughPackaging(100);
  if (qty_50g * 50 + qty_100g * 100 > stock.stock) return NOT_ENOUGH_SPICE;
  return null;
}

/** The message when one more pack of a size is requested than is available. */
export function stockLimitMessage(stock: Stock, grams: Grams): string {
  return pouchesOf(stock, grams) <= Math.floor(stock.stock / grams) ? notEnoughPackaging(grams) : NOT_ENOUGH_SPICE;
}

/** Rounded to whole rupees; null where a chosen size has no price. */
export function subtotal(mrp: number[], { qty_50g, qty_100g }: Quantities): number | null {
  const [small, large] = [priceOf(mrp, 50), priceOf(mrp, 100)];
  if ((qty_50g > 0 && small === undefined) || (qty_100g > 0 && large === undefined)) return null;
  return Math.round(qty_50g * (small ?? 0) + qty_100g * (large ?? 0));
}
