// What an order without its payment needs, before everything else that is shown of it: to be paid again, or to be checked.
import type { Order } from '~/api/types';
import { formatAmount } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { ButtonLink } from '~/ui/button';
import { Notice } from './notice';
import { PayAgainButton } from './order-components';
import { lineItems, orderPermissions, paymentMessage, previewItems } from './order-model';
import { usePendingOrder } from './order-queries';

const CHECKED = 'If you have paid, please do not pay again: we confirm the order when the bank has told us.';

/** Nothing for an order that is paid, or was given free. */
export function PaymentNotice({ order }: { order: Order }) {
  if (orderPermissions.payAgain(order)) {
    return (
      <Notice icon="info" tone="turmeric" action={<PayAgainButton order={order} />}>
        <b className="font-semibold">{paymentMessage(order)}</b>
      </Notice>
    );
  }
  if (!orderPermissions.checkPayment(order)) return null;
  return (
    <Notice icon="clock" tone="turmeric" action={<CheckPayment order={order} />}>
      <b className="font-semibold">{paymentMessage(order)}</b> {CHECKED}
    </Notice>
  );
}

/** On the checkout: the order that was placed there and is not paid yet. Its items are still in the cart. */
export function PendingOrder() {
  const { order, count } = usePendingOrder();
  if (!order) return null;
  const { shown, more } = previewItems(lineItems(order.items));
  const names = [...shown.map(({ productName }) => productName), more].filter(Boolean).join(', ');
  return (
    <section aria-label="Pending payment" className="mb-8">
      <Notice
        icon="clock"
        tone="turmeric"
        action={
          <div className="flex flex-wrap gap-2">
            <ButtonLink variant="ghost" to={`/orders?order=${encodeURIComponent(order._id)}`}>
              See this order
            </ButtonLink>
            <CheckPayment order={order} variant="secondary" />
          </div>
        }
      >
        <b className="block font-semibold">
          Order #{shortId(order._id)} waits for its payment: {formatAmount(order.totalAmount)}
        </b>
        {names}. {CHECKED}
        {count > 1 && ` You have ${count} such orders.`}
      </Notice>
    </section>
  );
}

function CheckPayment({ order, variant = 'primary' }: { order: Order; variant?: 'primary' | 'secondary' }) {
  return (
    <ButtonLink variant={variant} to={`/payment/status?merchantOrderId=${encodeURIComponent(order.merchantOrderId)}`}>
      Check payment
    </ButtonLink>
  );
}
