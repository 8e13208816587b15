// What the cart says after the items of an order were put into it again.
import type { BuyAgainResponse, ChangedItem } from '~/api/types';
import { formatPrice } from '~/lib/format';
import { plural } from '~/lib/plural';
import type { CartNote } from '~/shared/auth/overlay-store';

/** Null where the cart has everything as it was ordered. `itemCount` is how many items the order has. */
export function buyAgainNote({ missing }: Pick<BuyAgainResponse, 'missing'>, itemCount: number): CartNote | null {
  if (missing.length === 0) return null;
  const isNothingAdded = missing.filter(({ added }) => added === 0).length === itemCount;
  const isPriceOnly = missing.every(({ difference }) => difference === 'price_increased');
  const title = isNothingAdded
    ? 'Nothing of this order can be bought now'
    : isPriceOnly
      ? 'Some prices have changed since'
      : 'Not everything is as you ordered it';
  return { title, lines: missing.map(differenceText) };
}

export function differenceText(item: ChangedItem): string {
  const name = `${item.productName} (${item.grams} g)`;
  const price = priceText(item);
  switch (item.difference) {
    case 'not_sold':
      return `${name} is no longer sold.`;
    case 'sold_out':
      return `${name} is sold out.`;
    case 'cart_full':
      return `${name} does not fit: your cart has as many products as it can hold.`;
    case 'fewer_left':
      return `${name}: ${item.added} of ${plural(item.ordered, 'pack')} added, no more are left.${price && ` It ${price}`}`;
    default:
      return `${name} ${price || 'has changed.'}`;
  }
}

function priceText({ oldPrice, newPrice }: ChangedItem): string {
  const isDearer = newPrice !== null && oldPrice > 0 && newPrice > oldPrice;
  return isDearer ? `costs ${formatPrice(newPrice)} now, ${formatPrice(oldPrice)} before.` : '';
}
