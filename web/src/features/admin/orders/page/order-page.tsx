// The page of an order with an address of its own: what the details in the list show, notes of staff, and the customer with
// their other orders, messages and problems.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { Order, StaffOrder } from '~/api/types';
import { formatPhone } from '~/lib/form/validation';
import { formatAmount, formatDateTimeIst, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { IconButton } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminSection, SectionLoading } from '../../console/admin-section';
import { CustomerOrders, CustomerPart, MessageLinks, ProblemLinks } from '../../console/customer-parts';
import { customerQuery } from '../../console/customer-query';
import { orderPageQuery } from '../../console/order-query';
import { adminPath, customerPath } from '../../console/url-state';
import { CancellationBadge } from '../cancellation/cancellation-panel';
import { DeleteOrder } from '../details/delete-order';
import { OrderDetails } from '../details/order-details';
import { RestoreOrder, UpdateStatus } from '../list/order-row';
import { NotPacked } from '../packing/not-packed';
import { isPacked } from '../packing/packing';
import { RefundBadge } from '../refunds/refund-badge';
import { CorrectAddress } from './correct-address';
import { NoteForm } from './note-form';

export function OrderPage({ id }: { id: string }) {
  const page = useQuery(orderPageQuery(id));
  const order = page.data?.orders[0];
  return (
    <>
      <Link
        to={adminPath('orders')}
        className="-ml-2 mb-2 inline-flex min-h-11 items-center gap-1.5 rounded-md px-2 font-semibold text-ink-soft transition hover:bg-paper-deep hover:text-ink"
      >
        <Icon name="left" className="size-4" />
        All orders
      </Link>
      <AdminSection
        title={`Order ${shortId(id)}`}
        count={order && formatAmount(order.totalAmount)}
        actions={order && <PageActions order={order} />}
      >
        {page.isError && !page.data ? (
          <ErrorState
            message={errorMessage(page.error, 'Failed to fetch the order')}
            onRetry={() => void page.refetch()}
          />
        ) : order && page.data ? (
          <PageContent order={order} notes={page.data.notes} customer={page.data.customer} />
        ) : (
          <SectionLoading text="Loading order..." />
        )}
      </AdminSection>
    </>
  );
}

function PageActions({ order }: { order: Order }) {
  const [deleting, setDeleting] = useState<Order | null>(null);
  if (order.deletedAt) return <RestoreOrder order={order} />;
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:ml-0">
      <UpdateStatus order={order} />
      <IconButton
        label={`Delete order ${shortId(order._id)}`}
        className="text-chilli"
        onClick={() => setDeleting(order)}
      >
        <Icon name="trash" className="size-5" />
      </IconButton>
      <DeleteOrder order={deleting} orders={[order]} onClose={() => setDeleting(null)} />
    </div>
  );
}

function PageContent({ order, notes, customer }: StaffOrder) {
  return (
    <>
      <p className="mt-1 text-ink-soft tabular-nums">
        {formatDateTimeIst(order.createdAt)}
        {order.deletedAt && `, deleted ${formatDateTimeIst(order.deletedAt)}`}
      </p>
      <p className="mt-2 flex flex-wrap gap-2">
        <Badge tone={statusTone(order.orderStatus)}>{statusLabel(order.orderStatus)}</Badge>
        {isPacked(order) && <Badge tone="green">Packed</Badge>}
        <RefundBadge order={order} />
        <CancellationBadge order={order} />
        <Badge tone={statusTone(order.paymentStatus)}>Payment {order.paymentStatus}</Badge>
        {order.deletedAt && <Badge>Deleted</Badge>}
      </p>
      <NotPacked order={order} className="mt-3" />
      <div className="mt-4 rounded-lg border border-line bg-surface px-5 py-3 shadow-card">
        <OrderDetails order={order} notes={notes} addressAction={<CorrectAddress order={order} />} />
      </div>
      <div className="mt-5 grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
        <NoteForm orderId={order._id} />
        <CustomerOfOrder order={order} customer={customer} />
      </div>
    </>
  );
}

function CustomerOfOrder({ order, customer }: Pick<StaffOrder, 'order' | 'customer'>) {
  const { data, isPending, error, refetch } = useQuery(customerQuery(order.userId));
  const others = data?.orders.filter(({ _id }) => _id !== order._id) ?? [];
  return (
    <div className="grid min-w-0 gap-5">
      <section aria-label="Customer" className="rounded-lg border border-line bg-surface p-5 shadow-card">
        <h2 className="font-sans text-lg font-bold">Customer</h2>
        {!customer || customer.deletedAt ? (
          <p className="mt-1 text-ink-soft">The account was deleted.</p>
        ) : (
          <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            <Link className="link font-semibold [overflow-wrap:anywhere]" to={customerPath(customer._id)}>
              {customer.name || customer.email}
            </Link>
            <a className="link [overflow-wrap:anywhere]" href={`mailto:${customer.email}`}>
              {customer.email}
            </a>
            {customer.phone && (
              <a className="link tabular-nums" href={`tel:${customer.phone}`}>
                {formatPhone(customer.phone)}
              </a>
            )}
          </p>
        )}
        {customer && (
          <p className="mt-1 text-ink-soft tabular-nums">
            {plural(customer.orders, 'order')}, {formatAmount(customer.spentAmount)} spent
          </p>
        )}
      </section>
      {isPending ? (
        <SectionLoading text="Loading customer..." />
      ) : data ? (
        <>
          <CustomerPart title="Other orders" count={others.length} empty="No other order.">
            <CustomerOrders orders={others} />
          </CustomerPart>
          <CustomerPart title="Messages" count={data.messages.length} empty="No message was sent.">
            <MessageLinks messages={data.messages} />
          </CustomerPart>
          <CustomerPart title="Problems" count={data.problems.length} empty="No problem was reported.">
            <ProblemLinks problems={data.problems} />
          </CustomerPart>
        </>
      ) : (
        <ErrorState message={errorMessage(error, 'Failed to fetch the customer')} onRetry={() => void refetch()} />
      )}
    </div>
  );
}
