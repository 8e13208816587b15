// The cart's button on a card: adds one pack of the smallest size that is in stock, and counts those in the cart.
import type { MouseEvent } from 'react';
import type { Product } from '~/api/types';
import { availablePack } from '~/shared/product/stock';
import { IconButton, Spinner } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';
import { useAddToCart, useCartMutations } from './cart-mutations';
import { useCart } from './cart-queries';

export function CardStepper({ product }: { product: Product }) {
  const { add, addingIds } = useAddToCart();
  const { stepPacks } = useCartMutations();
  const { cart } = useCart();
  const grams = availablePack(product);
  if (!grams) return null;
  const { _id: productId, product_name: name } = product;
  const packs = (count: number) => ({ qty_50g: grams === 50 ? count : 0, qty_100g: grams === 50 ? 0 : count });
  const item = cart.items.find((one) => one.productId === productId);
  const [count, max] = item ? (grams === 50 ? [item.qty_50g, item.max_50g] : [item.qty_100g, item.max_100g]) : [0, 1];
  const adding = addingIds.includes(productId);

  const takeOne = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // The last pack takes this button with it.
    if (count === 1) currentTarget.parentElement?.querySelector<HTMLElement>('button:last-child')?.focus();
    stepPacks(productId, packs(-1));
  };
  return (
    <div
      role="group"
      aria-label={`${name}, ${grams} g packs`}
      className={`flex max-w-full items-center rounded-full ${count > 0 ? 'bg-raised shadow-card' : ''}`}
    >
      {count > 0 && (
        <>
          <IconButton
            label={`Take one ${grams} g pack of ${name} out of the cart`}
            className="min-w-0 !shrink"
            onClick={takeOne}
          >
            <Icon name="minus" className="size-4" />
          </IconButton>
          <output aria-live="polite" className="min-w-6 text-center font-bold tabular-nums">
            {count}
          </output>
        </>
      )}
      <IconButton
        label={`Add one ${grams} g pack of ${name} to the cart`}
        title={`Add ${grams} g`}
        aria-busy={adding}
        disabled={count > 0 && count >= max}
        onClick={() => (count > 0 ? stepPacks(productId, packs(1)) : add({ productId, ...packs(1) }))}
        className="min-w-0 !shrink bg-chilli-fill text-on-chilli shadow-card hover:!bg-chilli-deep"
      >
        {adding ? <Spinner /> : <Icon name="plus" className="size-5" />}
      </IconButton>
    </div>
  );
}
