// The cart panel, which slides in from the right: line items, total, checkout button.

import type { CartItem } from '~/api/types';
import { formatAmount } from '~/lib/format';
import { Link, useNavigate } from '~/lib/router/router';
import { type CartNote, openLogin } from '~/shared/auth/overlay-store';
import { useSession } from '~/shared/auth/session';
import { isPriced } from '~/shared/order/line-items';
import { DiscountRow } from '~/shared/order/order-totals';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { Price } from '~/shared/product/price';
import { stockText } from '~/shared/product/stock';
import { Button } from '~/ui/button';
import { Sheet } from '~/ui/dialog/dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState, Loading, Skeleton } from '~/ui/feedback/states';
import { Stepper } from '~/ui/forms/stepper';
import { Icon } from '~/ui/graphics/more-icons';
import { useCartMutations } from './cart-mutations';
import { useCart } from './cart-queries';
import { DiscountCode } from './discount-code';

type Props = { open: boolean; note?: CartNote | null; onClose: () => void };

export default function CartPanel({ open, note, onClose }: Props) {
  const { authenticated } = useSession();
  const { cart, changing, loading, failed, retry } = useCart();
  const { clear } = useCartMutations();
  const navigate = useNavigate();
  const isEmpty = cart.items.length === 0;

  const checkOut = () => (authenticated ? navigate('/checkout') : openLogin());

  const footer = (
    <>
      {!isEmpty && authenticated && <DiscountCode cart={cart} disabled={changing} className="mb-3" />}
      {cart.discountAmount > 0 && (
        <dl className={`mb-2 ${changing ? 'opacity-50' : ''}`}>
          <DiscountRow order={cart} />
        </dl>
      )}
      <div className="mb-4 flex items-baseline justify-between">
        <span className="text-lg font-semibold">Total</span>
        {/* The server's total, outdated while changes are under way. */}
        <span className={`text-2xl font-bold tabular-nums ${changing ? 'opacity-50' : ''}`}>
          {formatAmount(cart.totalAmount)}
        </span>
      </div>
      <Button size="lg" className="w-full" disabled={isEmpty} onClick={checkOut}>
        Checkout
      </Button>
      <p className="mt-3 text-center text-sm text-ink-soft">Prices include all taxes. Delivery within 3-5 days.</p>
    </>
  );

  return (
    <Sheet open={open} onClose={onClose} title="Your Cart" footer={footer}>
      {note && <Note {...note} />}
      {loading ? (
        <Loading text="Loading...">
          <Skeleton className="h-24 w-full" />
          <Skeleton className="mt-4 h-24 w-full" />
        </Loading>
      ) : failed ? (
        <ErrorState message="Failed to load cart" onRetry={() => void retry()} />
      ) : isEmpty ? (
        <EmptyState
          text="Your cart is empty."
          hint="A good dinner starts with one pouch."
          action={{ to: '/sub-products', label: 'Browse masalas' }}
        />
      ) : (
        <>
          <ul className="divide-y divide-line">
            {cart.items.map((item) => (
              <CartLine key={item.productId} item={item} changing={changing} onLeave={onClose} />
            ))}
          </ul>
          <div className="mt-4 text-right">
            <Button variant="ghost" size="sm" onClick={clear}>
              Clear cart
            </Button>
          </div>
        </>
      )}
    </Sheet>
  );
}

function Note({ title, lines }: CartNote) {
  return (
    <div role="status" className="mb-5 rounded-md bg-turmeric-wash px-4 py-3">
      <p className="flex items-center gap-2.5 font-semibold">
        <Icon name="alert" className="size-5 shrink-0" />
        {title}
      </p>
      <ul className="mt-1.5 space-y-1 text-[0.9375rem]">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

function CartLine({ item, changing, onLeave }: { item: CartItem; changing: boolean; onLeave: () => void }) {
  const { stepPacks, removeItem } = useCartMutations();
  const { productId, qty_50g, qty_100g } = item;
  const isInStock = item.max_50g > 0 || item.max_100g > 0;
  return (
    <li className="grid grid-cols-[5rem_1fr] gap-x-4 py-5 first:pt-0">
      <Link to={`/product/${productId}`} onClick={onLeave} tabIndex={-1} aria-hidden="true">
        <ProductImage
          source={fileImage(item.image, item.image_colour)}
          name={item.productName}
          sizes="80px"
          widths={[160]}
          alt=""
          className="aspect-[4/5] w-20 rounded-md object-cover"
        />
      </Link>
      <div className="min-w-0">
        <div className="flex items-start justify-between gap-2">
          <Link to={`/product/${productId}`} onClick={onLeave} className="font-display text-name hover:text-chilli">
            {item.productName}
          </Link>
          <span className={`font-semibold tabular-nums ${changing ? 'opacity-50' : ''}`}>
            {isPriced(item) ? formatAmount(item.lineTotal) : 'N/A'}
          </span>
        </div>
        {item.notice && <p className="mt-1 text-sm font-medium text-chilli">{item.notice}</p>}
        <div className="mt-3 space-y-2">
          {(item.price_100g !== null || qty_100g > 0) && (
            <Size
              grams={100}
              price={item.price_100g}
              value={qty_100g}
              max={item.max_100g}
              onChange={(value) => stepPacks(productId, { qty_100g: value - qty_100g })}
              name={item.productName}
              isInStock={isInStock}
            />
          )}
          {(item.price_50g !== null || qty_50g > 0) && (
            <Size
              grams={50}
              price={item.price_50g}
              value={qty_50g}
              max={item.max_50g}
              onChange={(value) => stepPacks(productId, { qty_50g: value - qty_50g })}
              name={item.productName}
              isInStock={isInStock}
            />
          )}
        </div>
        <button
          type="button"
          onClick={() => removeItem(productId)}
          className="mt-2 -ml-2 inline-flex min-h-11 items-center gap-1.5 rounded-full px-2 text-sm font-semibold text-ink-soft hover:text-chilli"
        >
          <Icon name="trash" className="size-4" />
          Remove <span className="sr-only">{item.productName}</span>
        </button>
      </div>
    </li>
  );
}

type SizeProps = {
  grams: number;
  price: number | null;
  value: number;
  max: number;
  name: string;
  /** Packs of any size can be bought. */
  isInStock: boolean;
  onChange: (value: number) => void;
};

function Size({ grams, price, value, max, name, isInStock, onChange }: SizeProps) {
  const stock = isInStock && price !== null && stockText(max);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
      <span className="min-w-0 flex-[1_1_4.75rem] text-sm text-ink-soft">
        <b className="text-ink">{grams} g</b> · <Price value={price} />
        {stock && <span className="block font-semibold text-chilli">{stock}</span>}
      </span>
      <Stepper label={`${name}, ${grams} g packs`} value={value} max={max} onChange={onChange} />
    </div>
  );
}
