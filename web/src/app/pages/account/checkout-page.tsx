// The delivery address page of the checkout: choose an address, check the order, continue to the payment.
import { AddressPicker, useChosenAddress } from '~/features/addresses/address-picker';
import { useCartMutations } from '~/features/cart/cart-mutations';
import { useCart } from '~/features/cart/cart-queries';
import { DiscountCode } from '~/features/cart/discount-code';
import { OrderSummary, PayBar } from '~/features/checkout/order-summary';
import { useCheckout } from '~/features/checkout/use-checkout';
import { PendingOrder } from '~/features/orders/payment-notice';
import { openCart } from '~/shared/auth/overlay-store';
import { RequireAuth } from '~/shared/auth/require-auth';
import { deliveryText, useDeliveryEstimate } from '~/shared/delivery/estimate';
import { useRememberedPincode } from '~/shared/delivery/pincode';
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState, Loading, Skeleton } from '~/ui/feedback/states';
import { PageTitle } from '~/ui/page-title';

export default function CheckoutPage() {
  return (
    <div className="page-width min-h-[60vh] pb-6 lg:pb-16">
      <PageTitle title="Delivery Address" />
      <RequireAuth title="Nearly there" hint="Sign in to choose where your masalas should go, and to pay.">
        <PendingOrder />
        <Checkout />
      </RequireAuth>
    </div>
  );
}

function Checkout() {
  const { cart, changing, loading, failed, retry } = useCart();
  const { removeItem } = useCartMutations();
  const [address, choose] = useChosenAddress();
  const addressId = address?._id ?? '';
  const remembered = useRememberedPincode();
  const delivery = useDeliveryEstimate(address?.pincode ?? remembered);
  const isServed = !address || delivery?.serviceable !== false;
  const { pay, busy } = useCheckout(cart, addressId);

  if (loading) {
    return (
      <Loading text="Loading...">
        <div className="grid gap-8 lg:grid-cols-[1fr_26rem] lg:gap-12">
          <Skeleton className="h-64 !rounded-lg" />
          <Skeleton className="h-96 !rounded-lg" />
        </div>
      </Loading>
    );
  }
  if (failed) return <ErrorState message="Failed to load cart" onRetry={() => void retry()} />;
  if (cart.items.length === 0) {
    return (
      <EmptyState
        text="Your cart is empty."
        hint="Put a masala or two in it, and come back to say where they should go."
        action={{ to: '/sub-products', label: 'Browse masalas' }}
      />
    );
  }
  return (
    <div className="grid gap-8 lg:grid-cols-[1fr_26rem] lg:gap-12">
      <section aria-label="Delivery address">
        <AddressPicker chosen={addressId} onChoose={choose} disabled={busy} />
      </section>
      <div className="max-lg:contents lg:sticky lg:top-36 lg:self-start">
        <OrderSummary
          cart={cart}
          disabled={busy || changing}
          delivery={deliveryText(delivery)}
          discount={<DiscountCode cart={cart} disabled={busy || changing} />}
          onEdit={() => openCart()}
          onRemove={removeItem}
        />
        {/* The order must include changes of the cart that are not saved yet, so paying waits for them. */}
        <PayBar
          cart={cart}
          unservedPincode={isServed ? undefined : address?.pincode}
          busy={busy || changing}
          onPay={pay}
        />
      </div>
    </div>
  );
}
