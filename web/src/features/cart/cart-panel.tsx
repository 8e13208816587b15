// The cart panel, which slides in from the right: line items, total, checkout button.

import { formatAmount } from '~/lib/format';
import { useNavigate } from '~/lib/router/router';
import { type CartNote, openLogin } from '~/shared/auth/overlay-store';
import { useSession } from '~/shared/auth/session';
import { DeliveryRow } from '~/shared/delivery/charge';
import { deliveryText, useDeliveryEstimate } from '~/shared/delivery/estimate';
import { useRememberedPincode } from '~/shared/delivery/pincode';
import { DiscountRow } from '~/shared/order/order-totals';
import { Button } from '~/ui/button';
import { Sheet } from '~/ui/dialog/dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState, Loading, Skeleton } from '~/ui/feedback/states';
import { Icon } from '~/ui/graphics/more-icons';
import { CartLine } from './cart-line';
import { useCartMutations } from './cart-mutations';
import { useCart } from './cart-queries';
import { DiscountCode } from './discount-code';

type Props = { open: boolean; note?: CartNote | null; onClose: () => void };

export default function CartPanel({ open, note, onClose }: Props) {
  const { authenticated } = useSession();
  const { cart, changing, loading, failed, retry } = useCart();
  const { clear } = useCartMutations();
  const delivery = useDeliveryEstimate(useRememberedPincode());
  const navigate = useNavigate();
  const isEmpty = cart.items.length === 0;

  const checkOut = () => (authenticated ? navigate('/checkout') : openLogin());

  const footer = (
    <>
      {!isEmpty && authenticated && <DiscountCode cart={cart} disabled={changing} className="mb-3" />}
      {!isEmpty && (
        <dl className={`mb-2 space-y-1 ${changing ? 'opacity-50' : ''}`}>
          {cart.discountAmount > 0 && <DiscountRow order={cart} />}
          <DeliveryRow term={deliveryText(delivery, 'Delivery')} />
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
