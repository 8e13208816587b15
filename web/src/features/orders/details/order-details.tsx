// The details of one order in a dialog: timeline, items, refunds, delivery address, payment, problems, cancelling.
import type { ReactNode } from 'react';
import { errorMessage } from '~/api/error';
import type { Order } from '~/api/types';
import { PostalAddress } from '~/shared/address/postal-address';
import { DocumentList } from '~/shared/order/document-list';
import { documentsOf } from '~/shared/order/documents';
import { LineItems } from '~/shared/order/line-items';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { OrderTotals } from '~/shared/order/order-totals';
import { Parcel } from '~/shared/order/parcel';
import { Badge } from '~/ui/badge';
import { Dialog } from '~/ui/dialog/dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { Loading, Skeleton } from '~/ui/feedback/states';
import { CancelOrder } from '../cancellation/cancel-order';
import { Notice } from '../notice';
import { BuyAgainButton, ReplacementNote, StatusBadges } from '../order-components';
import { lineItems, orderPermissions } from '../order-model';
import { useOrder } from '../order-queries';
import { PaymentNotice } from '../payment-notice';
import { ProblemList, ReportProblem } from '../problems/problems';
import { RefundList } from './refund-list';
import { ReviewLinks } from './review-links';
import { CourierUpdates, Timeline } from './timeline';

type Props = {
  id: string;
  /** The customer came to buy it again, from an email. */
  offerBuyAgain: boolean;
  onClose: () => void;
};

export function OrderDetails({ id, offerBuyAgain, onClose }: Props) {
  const { data: order, isPending, error, refetch } = useOrder(id);
  return (
    <Dialog inUrl open={id !== ''} onClose={onClose} title={`Order #${shortId(id)}`} width="48rem">
      {order ? (
        <Details key={order._id} order={order} offerBuyAgain={offerBuyAgain} />
      ) : isPending ? (
        <Loading text="Loading...">
          <Skeleton className="mt-6 h-72 w-full !rounded-lg" />
        </Loading>
      ) : (
        <div className="mt-6">
          <ErrorState message={errorMessage(error, 'Failed to load order')} onRetry={() => void refetch()} />
        </div>
      )}
    </Dialog>
  );
}

function Details({ order, offerBuyAgain }: { order: Order; offerBuyAgain: boolean }) {
  const { errorMessage: paymentError } = order.paymentDetails;
  const documents = documentsOf(order);
  return (
    <>
      <div className="mt-3 space-y-3">
        <StatusBadges order={order} />
        <ReplacementNote order={order} />
      </div>
      <div className="has-[>div]:mt-5">
        <PaymentNotice order={order} />
      </div>
      {offerBuyAgain && (
        <div className="mt-5">
          <Notice icon="again" tone="cardamom" action={<BuyAgainButton order={order} variant="primary" autoFocus />}>
            <b className="font-semibold">Hungry for the same?</b> We put these items into your cart. You can change it
            before you pay.
          </Notice>
        </div>
      )}
      <div className="flex flex-col gap-5 has-[>:is(div,section)]:mt-5">
        <ReportProblem order={order} explain />
        {order.problems.length > 0 && (
          <Section title={order.problems.length > 1 ? 'Problems' : 'Problem'}>
            <ProblemList order={order} />
          </Section>
        )}
      </div>
      <div className="mt-7 grid gap-x-10 gap-y-8 md:grid-cols-[15rem_1fr]">
        <div className="space-y-8">
          {order.shipment && (
            <Section title="Parcel">
              <Parcel shipment={order.shipment} />
              <CourierUpdates order={order} />
            </Section>
          )}
          <Section title="Timeline">
            <Timeline order={order} />
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
            <OrderTotals order={order} className="mt-4 pt-4" />
            <ReviewLinks order={order} />
            {!offerBuyAgain && (
              <div className="mt-4 flex justify-end">
                <BuyAgainButton order={order} size="sm" />
              </div>
            )}
          </Section>
          {(documents.length > 0 || orderPermissions.awaitInvoice(order)) && (
            <Section title="Invoice">
              {documents.length > 0 ? (
                <DocumentList documents={documents} viewer="user" />
              ) : (
                <p className="text-ink-soft">You get the invoice when we send your order.</p>
              )}
            </Section>
          )}
          {order.refunds.length > 0 && (
            <Section title={order.refunds.length > 1 ? 'Refunds' : 'Refund'}>
              <RefundList refunds={order.refunds} />
            </Section>
          )}
          {!order.replacesOrderId && (
            <Section title="Payment">
              <Badge tone={statusTone(order.paymentStatus)}>{statusLabel(order.paymentStatus)}</Badge>
              {paymentError && !orderPermissions.payAgain(order) && (
                <p className="mt-3 font-medium text-chilli">{paymentError}</p>
              )}
              <p className="mt-3 text-xs break-all text-ink-soft">Merchant order id: {order.merchantOrderId}</p>
            </Section>
          )}
        </div>
      </div>
      <div className="has-[>div]:mt-8">
        <CancelOrder order={order} explain />
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
