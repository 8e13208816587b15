// A product in the cart: its packs by size, each with a stepper, and a button for the size that is not in the cart.
import { type FocusEvent, useLayoutEffect, useRef } from 'react';
import type { CartItem } from '~/api/types';
import { formatAmount, formatPrice } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { isPriced } from '~/shared/order/line-items';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { Price } from '~/shared/product/price';
import { type Grams, stockText } from '~/shared/product/stock';
import { Stepper } from '~/ui/forms/stepper';
import { Icon } from '~/ui/graphics/more-icons';
import { useCartMutations } from './cart-mutations';

type Props = { item: CartItem; changing: boolean; onLeave: () => void };

export function CartLine({ item, changing, onLeave }: Props) {
  const { stepPacks, removeItem } = useCartMutations();
  const { productId, productName, max_50g, max_100g } = item;
  const isInStock = max_50g > 0 || max_100g > 0;
  const sizes: SizeInCart[] = [
    { grams: 100, count: item.qty_100g, max: max_100g, price: item.price_100g },
    { grams: 50, count: item.qty_50g, max: max_50g, price: item.price_50g },
  ];
  const inCart = sizes.filter(({ count }) => count > 0);
  const others = sizes.filter(({ count, max, price }) => count === 0 && max > 0 && price !== null);
  const step = (grams: Grams, by: number) => stepPacks(productId, grams === 50 ? { qty_50g: by } : { qty_100g: by });
  const { ref, onFocus } = useFocusOfSize(inCart.map(({ grams }) => grams).join());

  return (
    <li className="grid grid-cols-[5rem_1fr] gap-x-4 py-5 first:pt-0">
      <Link to={`/product/${productId}`} onClick={onLeave} tabIndex={-1} aria-hidden="true">
        <ProductImage
          source={fileImage(item.image, item.image_colour)}
          name={productName}
          sizes="80px"
          widths={[160]}
          alt=""
          className="aspect-[4/5] w-20 rounded-md object-cover"
        />
      </Link>
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-2">
          <Link to={`/product/${productId}`} onClick={onLeave} className="font-display text-name hover:text-chilli">
            {productName}
          </Link>
          <span className={`font-semibold tabular-nums ${changing ? 'opacity-50' : ''}`}>
            {isPriced(item) ? formatAmount(item.lineTotal) : 'N/A'}
          </span>
        </div>
        {item.notice && <p className="mt-1 text-sm font-medium text-chilli">{item.notice}</p>}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it notes which control has the focus */}
        <div ref={ref} onFocus={onFocus} className="mt-3 space-y-2">
          {inCart.map((size) => (
            <SizeStepper
              key={size.grams}
              size={size}
              name={productName}
              isInStock={isInStock}
              onChange={(count) => step(size.grams, count - size.count)}
            />
          ))}
          <div className="-ml-2 flex flex-wrap gap-x-2 text-sm text-ink-soft">
            {others.map(({ grams, price }) => (
              <button
                key={grams}
                type="button"
                data-size={grams}
                onClick={() => step(grams, 1)}
                className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-2 hover:text-chilli"
              >
                <Icon name="plus" className="size-4" />
                <span className="sr-only">Add one pack of {productName}: </span>
                <b className="font-semibold">{grams} g</b>
                {price !== null && <span className="tabular-nums">· {formatPrice(price)}</span>}
              </button>
            ))}
            <button
              type="button"
              onClick={() => removeItem(productId)}
              className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-2 font-semibold hover:text-chilli"
            >
              <Icon name="trash" className="size-4" />
              Remove <span className="sr-only">{productName}</span>
            </button>
          </div>
        </div>
      </div>
    </li>
  );
}

type SizeInCart = { grams: Grams; count: number; max: number; price: number | null };

type StepperProps = {
  size: SizeInCart;
  name: string;
  /** Packs of any size can be bought. */
  isInStock: boolean;
  onChange: (count: number) => void;
};

function SizeStepper({ size: { grams, count, max, price }, name, isInStock, onChange }: StepperProps) {
  const stock = isInStock && price !== null && stockText(max);
  return (
    <div data-size={grams} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="min-w-0 flex-[1_1_4.75rem] text-sm text-ink-soft">
        <b className="text-ink">{grams} g</b> · <Price value={price} />
        {stock && <span className="block font-semibold text-chilli">{stock}</span>}
      </span>
      <Stepper label={`${name}, ${grams} g packs`} value={count} max={max} onChange={onChange} />
    </div>
  );
}

/**
 * A stepper is replaced by a button when its packs are gone, and the other way round. The focus stays with the size: on what
 * has come in the place of the control that was used.
 */
function useFocusOfSize(sizesInCart: string) {
  const ref = useRef<HTMLDivElement>(null);
  const used = useRef<string>(undefined);
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    used.current = target.closest<HTMLElement>('[data-size]')?.dataset.size;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sizes say when the controls change
  useLayoutEffect(() => {
    if (!used.current || document.activeElement !== document.body) return;
    const controls = [...(ref.current?.querySelectorAll('button') ?? [])].filter(
      (button) => !button.disabled && button.closest<HTMLElement>('[data-size]')?.dataset.size === used.current,
    );
    controls.at(-1)?.focus();
  }, [sizesInCart]);
  return { ref, onFocus };
}
