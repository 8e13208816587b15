// The details of an order below its row or in its card: items, address, ids, refunds, history.
import type { ReactNode } from 'react';
import type { Order, OrderNote } from '~/api/types';
import { formatPhone } from '~/lib/form/validation';
import { formatAmount, formatPrice } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { DocumentList } from '~/shared/order/document-list';
import { documentsOf } from '~/shared/order/documents';
import { shortId, statusLabel } from '~/shared/order/order-status';
import { AuditLog } from '../../console/audit-log';
import { CopyButton } from '../../console/copy-button';
import { adminPath, customerPath } from '../../console/url-state';
import { CancellationPanel } from '../cancellation/cancellation-panel';
import { RefundPanel } from '../refunds/refund-panel';
import { OrderHistory } from './order-history';
import { ParcelPanel } from './parcel-panel';

type Props = {
  order: Order;
  /** Shown in the history. */
  notes?: OrderNote[];
  /** Below the delivery address. */
  addressAction?: ReactNode;
};

export function OrderDetails({ order, notes, addressAction }: Props) {
  const { items, deliveryAddress: address } = order;
  const documents = documentsOf(order);
  return (
    <div className="sticky left-2.5 grid w-[min(100%,calc(100vw-3.5rem))] gap-x-8 md:w-[min(100%,calc(100vw-10rem))] gap-y-4 py-2 md:grid-cols-2 xl:grid-cols-[3fr_2fr_3fr]">
      <div>
        <h2 className="font-sans font-bold">Items</h2>
        {items.length === 0 ? (
          <p className="mt-1 text-ink-soft">No items</p>
        ) : (
          <ul className="mt-1 space-y-1">
            {items.map((item) => (
              <li key={`${item.productId} ${item.qty_50g}`}>
                {item.productName} ({item.qty_50g > 0 ? 50 : 100} g) × {item.quantity} @ {formatPrice(item.price)} each
              </li>
            ))}
          </ul>
        )}
      </div>
      <div>
        <h2 className="font-sans font-bold">Delivery address</h2>
        {address ? (
          <address className="mt-1 leading-relaxed not-italic">
            {address.name}
            <br />
            {formatPhone(address.phone)}
            <br />
            {[address.addressLine1, address.addressLine2].filter(Boolean).join(', ')}
            <br />
            {address.city}, {address.state} {address.pincode}
          </address>
        ) : (
          <p className="mt-1 text-ink-soft">No address info</p>
        )}
        {addressAction}
      </div>
      <dl className="space-y-1 text-sm md:max-xl:col-span-2 [&_dd]:break-all [&_dt]:text-ink-soft">
        <dt>Order ID</dt>
        <dd>
          <CopyButton text={order._id} />
        </dd>
        <dt>User ID</dt>
        <dd>
          <CopyButton text={order.userId} />
          <Link className="link ml-1 whitespace-nowrap" to={customerPath(order.userId)}>
            Customer
          </Link>
        </dd>
        <dt>Payment reference</dt>
        <dd>
          <CopyButton text={order.merchantOrderId} />
        </dd>
        {order.discountAmount > 0 && (
          <>
            <dt>Discount</dt>
            <dd>
              <Link className="link" to={adminPath('discounts')}>
                {order.discountCode}
              </Link>{' '}
              <span className="tabular-nums">−{formatAmount(order.discountAmount)}</span>
            </dd>
          </>
        )}
        {order.paymentDetails?.errorMessage && (
          <>
            <dt>Payment error</dt>
            <dd className="text-chilli">{order.paymentDetails.errorMessage}</dd>
          </>
        )}
        {order.replacesOrderId && (
          <>
            <dt>Replacement for order</dt>
            <dd>
              <Link className="link" to={adminPath('orders', { orderId: order.replacesOrderId })}>
                {shortId(order.replacesOrderId)}
              </Link>
            </dd>
          </>
        )}
        {order.problems.length > 0 && (
          <>
            <dt>Problems</dt>
            <dd>
              <Link className="link" to={adminPath('problems', { state: 'all' })}>
                {order.problems.map(({ state }) => statusLabel(state)).join(', ')}
              </Link>
            </dd>
          </>
        )}
      </dl>
      <div className="grid gap-x-8 gap-y-4 border-t border-line pt-4 md:col-span-2 md:grid-cols-2 xl:col-span-3">
        <div className="space-y-4">
          {documents.length > 0 && (
            <section aria-label="Invoice">
              <h2 className="mb-2 font-sans font-bold">Invoice</h2>
              <DocumentList documents={documents} viewer="admin" />
            </section>
          )}
          <CancellationPanel order={order} />
          <ParcelPanel order={order} />
          <RefundPanel order={order} />
        </div>
        <OrderHistory events={order.events} notes={notes} />
      </div>
      <AuditLog title="Audit log" about={order._id} className="border-t border-line pt-1 md:col-span-2 xl:col-span-3" />
    </div>
  );
}
