// An order as the customer sees it: timeline, preview and permitted actions. The rules of payment are in
// crates/domain/src/order.rs; the server decides.
import type { Order, OrderItem, OrderStatus } from '~/api/types';
import type { OrderLineLike } from '~/shared/order/line-items';

export const orderPermissions = {
  /** The server's `Order::is_payable_again`: a new order for the same items. */
  payAgain: (order: Pick<Order, 'paymentStatus'>) => order.paymentStatus === 'failed',
  /** The payment is not settled yet: the payment page polls it. */
  checkPayment: (order: Pick<Order, 'paymentStatus'>) => order.paymentStatus === 'pending',
  /** The invoice is issued when the items leave the shop. A replacement has none. */
  awaitInvoice: (order: Pick<Order, 'paymentStatus' | 'orderStatus' | 'invoice' | 'replacesOrderId'>) =>
    order.paymentStatus === 'completed' &&
    order.orderStatus === 'confirmed' &&
    !order.invoice &&
    !order.replacesOrderId,
  /** Who received something may review it (crates/store/src/reviews/mod.rs). */
  review: (order: Pick<Order, 'paymentStatus' | 'orderStatus'>) =>
    order.paymentStatus === 'completed' && order.orderStatus === 'delivered',
};

export type TimelineStep = { title: string; hint?: string };

export function timeline(status: OrderStatus): TimelineStep[] {
  const steps: TimelineStep[] = [{ title: 'Order Placed' }];
  if (status !== 'pending' && status !== 'N/A') steps.push({ title: 'Order Confirmed' });
  if (status === 'N/A') {
    steps.push({ title: 'Delivery Partner Not Integrated', hint: 'Delivery service will be available soon' });
  }
  if (status === 'shipped') steps.push({ title: 'Order Shipped', hint: 'In transit' });
  if (status === 'delivered') steps.push({ title: 'Order Delivered' });
  return steps;
}

/** An order has one item for each pack size; customers read one line for each product. */
export function lineItems(items: OrderItem[]): OrderLineLike[] {
  const lines = new Map<string, OrderLineLike>();
  for (const { productId, productName, image, qty_50g, qty_100g, price, lineTotal } of items) {
    const line = lines.get(productId) ?? {
      productId,
      productName,
      image,
      qty_50g: 0,
      qty_100g: 0,
      price_50g: null,
      price_100g: null,
      lineTotal: 0,
    };
    lines.set(productId, {
      ...line,
      qty_50g: line.qty_50g + qty_50g,
      qty_100g: line.qty_100g + qty_100g,
      price_50g: qty_50g > 0 ? price : line.price_50g,
      price_100g: qty_100g > 0 ? price : line.price_100g,
      lineTotal: line.lineTotal + lineTotal,
    });
  }
  return [...lines.values()];
}

const PREVIEW_COUNT = 2;

export function previewItems<Item>(items: Item[]): { shown: Item[]; more: string } {
  const rest = items.length - PREVIEW_COUNT;
  return { shown: items.slice(0, PREVIEW_COUNT), more: rest > 0 ? `+${rest} more item(s)` : '' };
}

export type PaymentState = 'success' | 'failure' | 'pending';

/** The state for the payment page: all statuses but completed and failed are pending. */
export function paymentState(status: string): PaymentState {
  return status === 'completed' ? 'success' : status === 'failed' ? 'failure' : 'pending';
}

export function paymentMessage(order: Pick<Order, 'paymentStatus' | 'paymentDetails'>): string {
  const texts: Record<PaymentState, string> = {
    success: 'Payment successful! Your order has been confirmed.',
    failure: order.paymentDetails?.errorMessage || 'Payment failed. Please try again.',
    pending: 'Payment pending...',
  };
  return texts[paymentState(order.paymentStatus)];
}
