// Choosing packs of each size, their subtotal, and the button to add them to the cart. Below 1024 px the button is in a bar
// at the foot of the screen, with the product's name and price: the bar is there before the packs are scrolled into view.
import { useId, useState } from 'react';
import type { Product } from '~/api/types';
import { formatPrice, plural } from '~/lib/format';
import { firstPack, Price, priceOf } from '~/shared/product/price';
import { type Grams, maxPacks, packsLeft, sharedStock, stockText } from '~/shared/product/stock';
import { Button, Spinner } from '~/ui/button';
import { Stepper } from '~/ui/forms/stepper';
import { Icon } from '~/ui/graphics/icons';
import { type Quantities, stockError, stockLimitMessage, subtotal } from './packs';
import { goToTellMe } from './tell-me';

type Props = { product: Product; onAdd: (packs: Quantities) => void; adding: boolean };

export function Purchase({ product, onAdd, adding }: Props) {
  const [packs, setPacks] = useState<Quantities>({ qty_50g: 0, qty_100g: 0 });
  const [hint, setHint] = useState('');
  const reasonId = useId();
  const problem = stockError(product, packs);
  const chosen = packs.qty_50g > 0 || packs.qty_100g > 0;
  const total = subtotal(product.mrp, packs);
  const message = problem ?? hint;
  const shared = sharedStock(product);
  const isSoldOut = packsLeft(product) === 0;
  const reason = isSoldOut ? 'Sold out' : problem ? '' : chosen ? '' : 'Choose a pack';

  const change = (grams: Grams, next: number) => {
    const max = maxPacks(product, grams);
    if (next > max) return setHint(stockLimitMessage(product, grams));
    setHint('');
    setPacks({ ...packs, [grams === 50 ? 'qty_50g' : 'qty_100g']: Math.max(0, next) });
  };
  const row = (grams: Grams) => (
    <SizeRow
      grams={grams}
      price={priceOf(product.mrp, grams)}
      available={maxPacks(product, grams)}
      isShared={shared !== null}
      value={grams === 50 ? packs.qty_50g : packs.qty_100g}
      onChange={(next) => change(grams, next)}
    />
  );

  return (
    <section id="packs" aria-label="Choose packs" className="scroll-mt-36">
      <div className="divide-y divide-line rounded-lg border border-line bg-surface">
        {row(100)}
        {row(50)}
        {shared && <p className="px-5 py-3 text-[0.9375rem] font-bold text-chilli">{shared.text}</p>}
        <div className="flex min-h-16 items-center justify-between px-5">
          <span className="font-semibold">Subtotal</span>
          <Price value={total} className="text-2xl font-bold" />
        </div>
      </div>
      <p role="alert" className={`mt-3 flex items-center gap-2 font-semibold text-chilli ${message ? '' : 'hidden'}`}>
        {message && <Icon name="alert" className="size-5 shrink-0" />}
        {message}
      </p>
      <div className="buy-bar" data-foot>
        <p className="min-w-0 leading-tight [grid-area:name] lg:hidden">
          <span className="block truncate font-display text-[1.0625rem]">{product.product_name}</span>
          {chosen ? (
            <span aria-hidden="true" className="text-[0.9375rem] font-bold tabular-nums">
              {`${plural(packs.qty_50g + packs.qty_100g, 'pack')} · ${total === null ? 'N/A' : formatPrice(total)}`}
            </span>
          ) : (
            <FirstPrice product={product} />
          )}
        </p>
        <Button
          size="lg"
          className={`[grid-area:add] max-lg:!px-6 ${isSoldOut ? 'max-lg:hidden' : ''}`}
          aria-busy={adding}
          aria-describedby={reason ? reasonId : undefined}
          disabled={problem !== null || !chosen}
          onClick={() => onAdd(packs)}
        >
          {/* It stays enabled meanwhile: every click adds. */}
          {adding && <Spinner />}
          Add to Cart
        </Button>
        {isSoldOut && (
          <Button size="lg" className="px-5! [grid-area:add] lg:hidden" onClick={goToTellMe}>
            Tell me when it is back
          </Button>
        )}
        {reason && (
          <p id={reasonId} className="text-[0.9375rem] font-semibold text-chilli [grid-area:reason] lg:text-center">
            {isSoldOut ? (
              reason
            ) : (
              <>
                <a href="#packs" className="link inline-block py-0.5 lg:hidden">
                  {reason}
                </a>
                <span className="max-lg:hidden">{reason}</span>
              </>
            )}
          </p>
        )}
      </div>
    </section>
  );
}

function FirstPrice({ product }: { product: Product }) {
  const { price, weight } = firstPack(product);
  return (
    <span className="text-[0.9375rem] text-ink-soft">
      <Price value={price} className="font-bold text-ink" />
      {price !== undefined && weight && ` · ${weight.value} ${weight.unit}`}
    </span>
  );
}

type RowProps = {
  grams: Grams;
  price: number | undefined;
  /** Packs of this size that can be bought. */
  available: number;
  /** What is left is said once for both sizes. */
  isShared: boolean;
  value: number;
  onChange: (value: number) => void;
};

function SizeRow({ grams, price, available, isShared, value, onChange }: RowProps) {
  const name = `${grams} g packs`;
  const stock = price !== undefined && !isShared && stockText(available);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-0 flex-[1_1_8rem]">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-display text-xl">{grams} g</span>
          <Price value={price} className="text-lg font-bold" />
          {stock && <span className="text-sm font-bold text-chilli">{stock}</span>}
        </p>
        {price !== undefined && (
          <p className="text-sm text-ink-soft">
            {formatPrice((price * 100) / grams)} for 100 g · MRP (incl. of all taxes)
          </p>
        )}
      </div>
      {/* A step above the available stock shows the reason, so the button stays enabled. */}
      <Stepper
        label={name}
        value={value}
        max={price === undefined || available === 0 ? 0 : Number.POSITIVE_INFINITY}
        onChange={onChange}
      />
    </div>
  );
}
