// Line items of a cart or an order: image, name, packs with their unit prices, and the line total.
import type { ReactNode } from 'react';
import { formatAmount, formatPrice } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';

export type OrderLineLike = {
  productId: string;
  productName: string;
  image: string;
  image_colour?: string;
  qty_50g: number;
  qty_100g: number;
  price_50g: number | null;
  price_100g: number | null;
  lineTotal: number;
  /** Cannot be bought in this quantity. */
  blocked?: boolean;
};

export function LineItems<Item extends OrderLineLike>({
  items,
  note,
}: {
  items: Item[];
  note?: (item: Item) => ReactNode;
}) {
  return (
    <ul className="divide-y divide-line">
      {items.map((item) => (
        <li key={item.productId} className="grid grid-cols-[3.5rem_1fr] gap-x-4 py-4 first:pt-0 last:pb-0">
          <LineItemImage line={item} />
          <div className="min-w-0">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <Link to={`/product/${item.productId}`} className="font-display text-[1.125rem] hover:text-chilli">
                {item.productName}
              </Link>
              <span className="font-semibold tabular-nums">
                {isPriced(item) ? formatAmount(item.lineTotal) : 'N/A'}
              </span>
            </div>
            <ul className="mt-0.5 text-[0.9375rem] text-ink-soft">
              {selectedPacks(item).map(({ grams, count, price }) => (
                <li key={grams} className="tabular-nums">
                  {count} × {grams} g {price !== null && `@ ${formatPrice(price)} each`}
                </li>
              ))}
            </ul>
            {note?.(item)}
          </div>
        </li>
      ))}
    </ul>
  );
}

export function LineItemImage({ line, className = 'w-14' }: { line: OrderLineLike; className?: string }) {
  return (
    <ProductImage
      source={fileImage(line.image, line.image_colour)}
      name={line.productName}
      sizes="56px"
      widths={[160]}
      alt=""
      className={`aspect-[4/5] rounded-sm object-cover ${className}`}
    />
  );
}

/** A line whose packs are no longer sold has the total 0 but no price. */
export const isPriced = ({ blocked, lineTotal }: Pick<OrderLineLike, 'blocked' | 'lineTotal'>): boolean =>
  !blocked || lineTotal > 0;

export type PackQuantity = { grams: 50 | 100; count: number; price: number | null };

/** The sizes that were chosen, the larger first, as everywhere in the shop. */
export function selectedPacks(line: OrderLineLike): PackQuantity[] {
  const packs: PackQuantity[] = [
    { grams: 100, count: line.qty_100g, price: line.price_100g },
    { grams: 50, count: line.qty_50g, price: line.price_50g },
  ];
  return packs.filter((pack) => pack.count > 0);
}
