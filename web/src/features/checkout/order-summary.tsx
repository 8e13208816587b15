// The order before payment: line items, reasons why one cannot be ordered, and the total. All amounts are the server's.
import type { ReactNode } from 'react';
import type { Cart, CartItem } from '~/api/types';
import { formatAmount, plural } from '~/lib/format';
import { DeliveryRow } from '~/shared/delivery/charge';
import { LineItems } from '~/shared/order/line-items';
import { DiscountRow, fullAmount } from '~/shared/order/order-totals';
import { Button } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';

type Props = {
  cart: Cart;
  disabled: boolean;
  /** 'Delivery by Sat 21 Nov' */
  delivery: string;
  /** The field for a discount code. */
  discount: ReactNode;
  onEdit: () => void;
  onRemove: (productId: string) => void;
};

export function OrderSummary({ cart, disabled, delivery, discount, onEdit, onRemove }: Props) {
  const notice = (item: CartItem) =>
    item.notice && (
      <div
        className={`mt-2 flex flex-wrap items-center gap-x-3 rounded-sm px-3 py-1.5 text-sm font-semibold ${item.blocked ? 'bg-chilli-wash text-chilli' : 'bg-turmeric-wash text-ink'}`}
      >
        <span className="py-1">{item.notice}</span>
        {item.blocked && (
          <button
            type="button"
            disabled={disabled}
            onClick={() => onRemove(item.productId)}
            className="link min-h-9 disabled:opacity-55"
          >
            Remove <span className="sr-only">{item.productName}</span>
          </button>
        )}
      </div>
    );
  return (
    <section aria-labelledby="summary" className="rounded-lg border border-line bg-surface p-6 shadow-card">
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-3">
        <h2 id="summary" className="text-heading">
          Your order
        </h2>
        <Button variant="ghost" size="sm" className="-mr-3" disabled={disabled} onClick={onEdit}>
          Edit cart
        </Button>
      </div>
      <LineItems items={cart.items} note={notice} />
      <div className="mt-5 border-t border-line pt-4">{discount}</div>
      <dl className="mt-4 space-y-2 border-t border-line pt-5">
        <div className="flex items-baseline justify-between gap-4 text-ink-soft">
          <dt>{plural(cart.totalPacks, 'pack')}</dt>
          <dd className="tabular-nums">{formatAmount(fullAmount(cart))}</dd>
        </div>
        {cart.discountAmount > 0 && <DiscountRow order={cart} />}
        <DeliveryRow term={delivery} />
        <div className="flex items-baseline justify-between gap-4 border-t border-line pt-4">
          <dt className="text-lg font-semibold">Total</dt>
          <dd className="text-2xl font-bold tabular-nums">{formatAmount(cart.totalAmount)}</dd>
        </div>
      </dl>
      <p className="mt-1 text-right text-sm text-ink-soft">Prices include all taxes.</p>
    </section>
  );
}

type PayProps = {
  cart: Cart;
  /** The pincode of the selected address, if the courier does not deliver there. */
  unservedPincode?: string;
  busy: boolean;
  onPay: () => void;
};

/** The button to the payment. It sticks to the foot of the screen, below an order of any length. */
export function PayBar({ cart, unservedPincode, busy, onPay }: PayProps) {
  const blocked = cart.items.filter((item) => item.blocked);
  // The server rejects an order with a code that does not apply, rather than charge the full price.
  const unusableCode = cart.discountNotice !== null;
  const isBlocked = blocked.length > 0 || unusableCode || unservedPincode !== undefined;
  const isFree = cart.totalAmount === 0 && cart.discountAmount > 0;
  return (
    <div
      data-foot
      className="sticky bottom-0 z-20 -mx-4 bg-paper/95 px-4 py-3 backdrop-blur-md max-lg:border-t max-lg:border-line md:-mx-8 md:px-8 lg:-mx-3 lg:bg-transparent lg:bg-[linear-gradient(to_top,var(--paper)_75%,transparent)] lg:px-3 lg:pt-8 lg:pb-5 lg:backdrop-blur-none"
    >
      {unusableCode && blocked.length === 0 && (
        <p id="why-not" role="status" className="mb-3 flex items-start gap-2.5 font-semibold text-chilli">
          <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
          <span>The code {cart.discountCode} does not apply. Remove it to continue without it.</span>
        </p>
      )}
      {unservedPincode && blocked.length === 0 && !unusableCode && (
        <p id="why-not" role="status" className="mb-3 flex items-start gap-2.5 font-semibold text-chilli">
          <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
          <span>Our courier does not deliver to {unservedPincode} yet. Choose another address to continue.</span>
        </p>
      )}
      {blocked.length > 0 && (
        <p id="why-not" role="status" className="mb-3 flex items-start gap-2.5 font-semibold text-chilli">
          <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
          <span>
            {blocked.length === 1 ? `${blocked[0]?.productName} cannot` : `${blocked.length} items cannot`} be ordered
            as
            {blocked.length === 1 ? ' it stands' : ' they stand'}. Change or remove{' '}
            {blocked.length === 1 ? 'it' : 'them'} to continue.
          </span>
        </p>
      )}
      <Button
        size="lg"
        className="w-full flex-wrap gap-y-0 !whitespace-normal max-sm:gap-x-1 max-sm:!px-4"
        busy={busy}
        disabled={isBlocked}
        aria-describedby={isBlocked ? 'why-not' : undefined}
        onClick={onPay}
      >
        {isFree ? 'Place Order' : 'Continue to Payment'}
        <span className="whitespace-nowrap">· {formatAmount(cart.totalAmount)}</span>
      </Button>
      <p className="mt-3 hidden items-center justify-center gap-2 text-sm text-ink-soft lg:flex">
        <Icon name="shield" className="size-5 text-cardamom" />
        {isFree ? 'Your code covers the whole order.' : "You pay on our payment partner's own page."}
      </p>
    </div>
  );
}
