// Choosing packs of each size, their subtotal, and the button to add them to the cart.
import { type ReactNode, useState } from 'react';
import type { Product } from '~/api/types';
import { Price, priceOf } from '~/shared/product/price';
import { Button, Spinner } from '~/ui/button';
import { formatRupees } from '~/ui/format';
import { Icon } from '~/ui/icons';
import { Stepper } from '~/ui/stepper';
import { type Grams, maxPacks, type Quantities, stockError, stockLimitMessage, subtotal } from './packs';

type Props = { product: Product; onAdd: (packs: Quantities) => void; adding: boolean; wishlistButton: ReactNode };

export function Purchase({ product, onAdd, adding, wishlistButton }: Props) {
  const [packs, setPacks] = useState<Quantities>({ qty_50g: 0, qty_100g: 0 });
  const [hint, setHint] = useState('');
  const problem = stockError(product, packs);
  const chosen = packs.qty_50g > 0 || packs.qty_100g > 0;
  const total = subtotal(product.mrp, packs);
  const message = problem ?? hint;

  const change = (grams: Grams, next: number) => {
    const max = maxPacks(product, grams);
    if (next > max) return setHint(stockLimitMessage(product, grams));
    setHint('');
    setPacks({ ...packs, [grams === 50 ? 'qty_50g' : 'qty_100g']: Math.max(0, next) });
  };

  return (
    <section aria-label="Choose packs">
      <div className="divide-y divide-line rounded-lg border border-line bg-surface">
        <SizeRow
          grams={100}
          price={priceOf(product.mrp, 100)}
          value={packs.qty_100g}
          onChange={(next) => change(100, next)}
        />
        <SizeRow
          grams={50}
          price={priceOf(product.mrp, 50)}
          value={packs.qty_50g}
          onChange={(next) => change(50, next)}
        />
        <div className="flex min-h-16 items-center justify-between px-5">
          <span className="font-semibold">Subtotal</span>
          <Price value={total} className="text-2xl font-bold" />
        </div>
      </div>
      <p role="alert" className={`mt-3 flex items-center gap-2 font-semibold text-chilli ${message ? '' : 'hidden'}`}>
        {message && <Icon name="alert" className="size-5 shrink-0" />}
        {message}
      </p>
      <div className="mt-5 flex gap-3">
        <Button
          size="lg"
          className="grow"
          aria-busy={adding}
          disabled={problem !== null || !chosen}
          onClick={() => onAdd(packs)}
        >
          {/* It stays enabled meanwhile: every click adds. */}
          {adding && <Spinner />}
          Add to Cart
        </Button>
        {wishlistButton}
      </div>
    </section>
  );
}

type RowProps = { grams: Grams; price: number | undefined; value: number; onChange: (value: number) => void };

function SizeRow({ grams, price, value, onChange }: RowProps) {
  const name = `${grams} g packs`;
  return (
    <div className="flex items-center justify-between gap-4 px-5 py-4">
      <div>
        <p className="font-display text-xl">{grams} g</p>
        <p>
          <Price value={price} className="font-bold" />
          {price !== undefined && (
            <span className="text-sm text-ink-soft">
              {' '}
              MRP (incl. of all taxes) · {formatRupees(price / grams, 2)} per g
            </span>
          )}
        </p>
      </div>
      {/* A step above the available stock shows the reason, so the button stays enabled. */}
      <Stepper
        label={name}
        value={value}
        max={price === undefined ? 0 : Number.POSITIVE_INFINITY}
        onChange={onChange}
      />
    </div>
  );
}
