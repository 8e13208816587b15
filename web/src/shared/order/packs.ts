// Packs of an order's products: counted for steppers, and in words.
import type { Order, OrderItem } from '~/api/types';

export type Packs = { qty_50g: number; qty_100g: number };
export type PackSize = 50 | 100;
export type ProductPacks = { productId: string } & Packs;

export const NO_PACKS: Packs = { qty_50g: 0, qty_100g: 0 };

export const sizeOf = ({ qty_50g }: Pick<OrderItem, 'qty_50g'>): PackSize => (qty_50g > 0 ? 50 : 100);

export const packsOf = (packs: Packs, size: PackSize): number => (size === 50 ? packs.qty_50g : packs.qty_100g);

export const withPacks = (packs: Packs, size: PackSize, count: number): Packs =>
  size === 50 ? { ...packs, qty_50g: count } : { ...packs, qty_100g: count };

/** '2 × 100 g, 1 × 50 g': the larger first, as everywhere in the shop. */
export function packsText({ qty_50g, qty_100g }: Packs): string {
  return [qty_100g > 0 && `${qty_100g} × 100 g`, qty_50g > 0 && `${qty_50g} × 50 g`].filter(Boolean).join(', ');
}

/** One entry for each product with packs. */
export function chosenLines(chosen: Record<string, Packs>): ProductPacks[] {
  return Object.entries(chosen)
    .filter(([, { qty_50g, qty_100g }]) => qty_50g + qty_100g > 0)
    .map(([productId, packs]) => ({ productId, ...packs }));
}

export function productName(order: Pick<Order, 'items'>, productId: string): string {
  return order.items.find((item) => item.productId === productId)?.productName ?? productId;
}
