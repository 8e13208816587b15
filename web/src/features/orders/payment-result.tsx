// The result of a payment: verifying, success, failure or pending. While it is pending, the order is polled every three
// seconds.
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '~/api/error';
import { userKeys } from '~/api/queries/query-keys';
import { cancelAndInvalidate } from '~/api/queries/refetch';
import type { Order } from '~/api/types';
import { deliveryText, useDeliveryEstimate } from '~/shared/delivery/estimate';
import { LineItems } from '~/shared/order/line-items';
import { shortId } from '~/shared/order/order-status';
import { OrderTotals } from '~/shared/order/order-totals';
import { ButtonLink, Spinner } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';
import { RangoliSun } from '~/ui/graphics/rangoli';
import { PayAgainButton } from './order-components';
import { lineItems, type PaymentState, paymentMessage, paymentState } from './order-model';
import { usePayment } from './order-queries';

const LOAD_FAILED = 'Could not fetch order';

export function PaymentResult({ merchantOrderId }: { merchantOrderId: string }) {
  const { data: order, error, isPending, refetch } = usePayment(merchantOrderId);
  const client = useQueryClient();
  const state = order && paymentState(order.paymentStatus);

  useEffect(() => {
    if (!state || state === 'pending') return;
    // The settlement has changed the cart and the list of orders.
    void cancelAndInvalidate(client, userKeys.cart);
    void cancelAndInvalidate(client, userKeys.orders);
  }, [client, state]);

  if (order && state) return <Outcome order={order} state={state} merchantOrderId={merchantOrderId} />;
  if (isPending) return <Verifying merchantOrderId={merchantOrderId} />;
  // Without a response there is only the general message.
  const words = error instanceof ApiError && error.code !== 'network' ? error.message : '';
  return (
    <ResultCard state="failure" title="We could not look" message={LOAD_FAILED}>
      {words && <p className="mt-1 text-ink-soft">{words}</p>}
      <OrderId id={merchantOrderId} />
      <Actions>
        <button
          type="button"
          onClick={() => void refetch()}
          className="min-h-11 rounded-full border-2 border-ink/80 px-6 font-semibold transition hover:bg-ink hover:text-paper"
        >
          Try again
        </button>
        <ButtonLink to="/">Continue Shopping</ButtonLink>
      </Actions>
    </ResultCard>
  );
}

export function Verifying({ merchantOrderId = '' }: { merchantOrderId?: string }) {
  return (
    <ResultCard state="verifying" message="Verifying your payment...">
      {merchantOrderId && <OrderId id={merchantOrderId} />}
    </ResultCard>
  );
}

export function InvalidSession() {
  return (
    <ResultCard state="failure" title="Nothing to show" message="Invalid payment session">
      <p className="mt-1 text-ink-soft">This page opens when you come back from paying.</p>
      <Actions>
        <ButtonLink to="/">Continue Shopping</ButtonLink>
      </Actions>
    </ResultCard>
  );
}

function Outcome({ order, state, merchantOrderId }: { order: Order; state: PaymentState; merchantOrderId: string }) {
  const isFailed = state === 'failure';
  // A parcel that is under way has a day of its own, which the order shows.
  const delivery = useDeliveryEstimate(
    state === 'success' && !order.shipment ? order.deliveryAddress.pincode : undefined,
  );
  const actions = (
    <Actions>
      <PayAgainButton order={order} />
      {state === 'success' && (
        <ButtonLink to="/orders" variant="secondary">
          View Orders
        </ButtonLink>
      )}
      {state === 'pending' && (
        <ButtonLink to={`/orders?order=${encodeURIComponent(order._id)}`} variant="secondary">
          See this order
        </ButtonLink>
      )}
      <ButtonLink to="/" variant={isFailed ? 'secondary' : 'primary'}>
        Continue Shopping
      </ButtonLink>
    </Actions>
  );
  return (
    <ResultCard state={state} message={paymentMessage(order)}>
      {state === 'pending' && (
        <>
          <p className="mt-1 text-ink-soft">
            We ask the bank every few seconds. You may also leave: we will keep asking.
          </p>
          <p className="mt-4 flex items-start gap-2.5 rounded-md bg-turmeric-wash px-4 py-3 text-left font-semibold">
            <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
            Please do not pay a second time. If money has left your account, this order will be confirmed; if not, it is
            cancelled and nothing is charged.
          </p>
        </>
      )}
      {isFailed && <p className="mt-1 text-ink-soft">Your cart is as it was.</p>}
      {isFailed && actions}
      <p className="mt-5 text-lg font-bold tracking-wide">Order #{shortId(order._id)}</p>
      <OrderId id={merchantOrderId} />
      <div className="mt-8 w-full border-t border-line pt-6 text-left">
        <LineItems items={lineItems(order.items)} />
        <OrderTotals order={order} className="mt-5 pt-5" />
        {state === 'success' && (
          <p className="mt-5 flex items-center justify-center gap-2.5 rounded-md bg-cardamom-wash px-4 py-3 font-semibold text-cardamom">
            <Icon name="truck" className="size-6" />
            {deliveryText(delivery)}
          </p>
        )}
      </div>
      {!isFailed && actions}
    </ResultCard>
  );
}

const titles: Record<PaymentState | 'verifying', string> = {
  verifying: 'Verifying Payment',
  success: 'Payment Successful',
  failure: 'Payment Failed',
  pending: 'Payment Pending',
};

type ResultCardProps = { state: PaymentState | 'verifying'; title?: string; message: string; children: ReactNode };

function ResultCard({ state, title = titles[state], message, children }: ResultCardProps) {
  return (
    <section className="mx-auto flex max-w-2xl flex-col items-center rounded-xl border border-line bg-surface px-5 pt-8 pb-10 text-center shadow-card sm:px-12">
      <StatusIcon state={state} />
      <h1 className="mt-5 text-title">{title}</h1>
      <p role="status" className="mt-3 text-lg font-medium">
        {message}
      </p>
      {children}
    </section>
  );
}

function StatusIcon({ state }: { state: PaymentState | 'verifying' }) {
  const isOpen = state === 'verifying' || state === 'pending';
  const colour = {
    success: 'bg-cardamom-fill text-on-cardamom',
    failure: 'bg-chilli-fill text-on-chilli',
    pending: 'bg-turmeric text-on-turmeric',
    verifying: 'bg-turmeric text-on-turmeric',
  }[state];
  return (
    <div aria-hidden="true" className="relative grid place-items-center pt-2">
      <RangoliSun className={`w-56 max-w-full ${state === 'failure' ? 'text-line-strong' : 'text-turmeric'}`} />
      <span
        key={state}
        className={`animate-rise -mt-10 grid size-20 place-items-center rounded-full shadow-lift ${colour}`}
      >
        {isOpen ? (
          <Spinner className="size-9" />
        ) : (
          <Icon name={state === 'success' ? 'check' : 'close'} className="size-10" />
        )}
      </span>
    </div>
  );
}

function OrderId({ id }: { id: string }) {
  return <p className="mt-1 text-xs break-all text-ink-soft">Merchant order id: {id}</p>;
}

function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-8 flex flex-wrap justify-center gap-3 max-sm:w-full max-sm:flex-col">{children}</div>;
}
