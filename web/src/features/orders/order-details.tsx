// The details of one order in a dialog: timeline, items, delivery address, payment.
import type { ReactNode } from 'react';
import type { Order } from '~/api/types';
import { PostalAddress } from '~/shared/address/postal-address';
import { LineItems } from '~/shared/order/line-items';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { ButtonLink } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { ErrorState } from '~/ui/error-state';
import { formatDateTime, formatRupees } from '~/ui/format';
import { Loading, Skeleton } from '~/ui/states';
import { PayAgainButton, StatusBadges, Timeline } from './order-components';
import { lineItems, orderPermissions } from './order-model';
import { useOrder } from './order-queries';

export function OrderDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: order, isPending, refetch } = useOrder(id);
  return (
    <Dialog open={id !== ''} onClose={onClose} title={`Order #${shortId(id)}`} width="46rem">
      {order ? (
        <Details order={order} />
      ) : isPending ? (
        <Loading text="Loading...">
          <Skeleton className="mt-6 h-72 w-full !rounded-lg" />
        </Loading>
      ) : (
        <div className="mt-6">
          <ErrorState message="Failed to load order" onRetry={() => void refetch()} />
        </div>
      )}
    </Dialog>
  );
}

function Details({ order }: { order: Order }) {
  const { errorMessage } = order.paymentDetails;
  return (
    <>
      <div className="mt-3">
        <StatusBadges order={order} />
      </div>
      <div className="mt-7 grid gap-x-10 gap-y-8 md:grid-cols-[15rem_1fr]">
        <div className="space-y-8">
          <Section title="Timeline">
            <Timeline order={order} placedAt={formatDateTime(order.createdAt)} />
            {order.orderStatus === 'cancelled' && (
              <p className="mt-4 rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli">
                This order was cancelled.
              </p>
            )}
          </Section>
          <Section title="Delivery address">
            {order.deliveryAddress ? (
              <PostalAddress address={order.deliveryAddress} />
            ) : (
              <p className="text-ink-soft">No address info</p>
            )}
          </Section>
        </div>
        <div className="space-y-8">
          <Section title="Items">
            <LineItems items={lineItems(order.items)} />
            <p className="mt-4 flex items-baseline justify-between gap-4 border-t border-line pt-4">
              <span className="text-lg font-semibold">Total</span>
              <span className="text-2xl font-bold tabular-nums">{formatRupees(order.totalAmount, 2)}</span>
            </p>
          </Section>
          <Section title="Payment">
            <div className="flex flex-wrap items-center justify-between gap-3">
              <Badge tone={statusTone(order.paymentStatus)}>{statusLabel(order.paymentStatus)}</Badge>
              <PayAgainButton order={order} />
              {orderPermissions.checkPayment(order) && (
                <ButtonLink
                  variant="secondary"
                  to={`/payment/status?merchantOrderId=${encodeURIComponent(order.merchantOrderId)}`}
                >
                  Check payment
                </ButtonLink>
              )}
            </div>
            {errorMessage && <p className="mt-3 font-medium text-chilli">{errorMessage}</p>}
            <p className="mt-3 text-xs break-all text-ink-soft">Merchant order id: {order.merchantOrderId}</p>
          </Section>
        </div>
      </div>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-3 text-name">{title}</h3>
      {children}
    </section>
  );
}
