// Prices of a product's pack sizes.
import type { Product } from '~/api/types';
import { formatPrice } from '~/lib/format';

export function Price({ value, className = '' }: { value: number | null | undefined; className?: string }) {
  return (
    <span className={`tabular-nums ${className}`}>
      {value === null || value === undefined ? 'N/A' : formatPrice(value)}
    </span>
  );
}

/** As in crates/domain/src/product.rs: a price of 0 means that this size is not sold. */
export function priceOf(mrp: number[], grams: 50 | 100): number | undefined {
  return mrp[grams === 50 ? 0 : 1] || undefined;
}

/** The smallest pack size that is sold, with its printed weight. */
export function firstPack({ mrp, net_wt }: Pick<Product, 'mrp' | 'net_wt'>) {
  const small = priceOf(mrp, 50);
  const large = priceOf(mrp, 100);
  return small === undefined && large !== undefined
    ? { grams: 100 as const, price: large, weight: net_wt[1] }
    : { grams: 50 as const, price: small, weight: net_wt[0] };
}
