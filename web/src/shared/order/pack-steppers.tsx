// Chooses packs of an order, one stepper for each product and size, up to what is left of each.
import type { OrderItem } from '~/api/types';
import { formatPrice } from '~/lib/format';
import { Stepper } from '~/ui/forms/stepper';
import { NO_PACKS, type Packs, packsOf, sizeOf, withPacks } from './packs';

type Props = {
  items: OrderItem[];
  /** By product. */
  chosen: Record<string, Packs>;
  /** How many packs of an item can be chosen. */
  max: (item: OrderItem) => number;
  showPrices?: boolean;
  disabled?: boolean;
  onChange: (chosen: Record<string, Packs>) => void;
};

export function PackSteppers({ items, chosen, max, showPrices, disabled, onChange }: Props) {
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-raised">
      {items.map((item) => {
        const size = sizeOf(item);
        const packs = chosen[item.productId] ?? NO_PACKS;
        const limit = max(item);
        return (
          <li
            key={`${item.productId} ${size}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2"
          >
            <span className="min-w-28 flex-1">
              <b className="block font-semibold">{item.productName}</b>
              <span className="text-sm text-ink-soft tabular-nums">
                {[
                  `${size} g`,
                  showPrices && `${formatPrice(item.price)} each`,
                  limit === 0 ? 'none left' : `of ${limit}`,
                ]
                  .filter((part) => part !== false && part !== undefined)
                  .map((part) => String(part).replaceAll(' ', '\u00a0'))
                  .join(' · ')}
              </span>
            </span>
            <Stepper
              label={`${item.productName}, ${size} g packs`}
              value={packsOf(packs, size)}
              max={limit}
              disabled={disabled}
              onChange={(count) => onChange({ ...chosen, [item.productId]: withPacks(packs, size, count) })}
            />
          </li>
        );
      })}
    </ul>
  );
}
