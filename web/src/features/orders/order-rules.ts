// What an order looks like to its owner: timeline, preview, and what may be done with it. How an order's
// payment moves is crates/domain/src/order.rs; the program decides, this only asks the same questions.
import type { Order, OrderItem, OrderStatus } from '~/api/types';
import type { Line } from '~/ui/line-list';

export const orderCan = {
  /** `Order::is_payable_again` in crates/app/src/ports/orders.rs: a new order for the same goods. */
  payAgain: (order: Pick<Order, 'paymentStatus'>) => order.paymentStatus === 'failed',
  /** The gateway has not said yet: the payment page keeps asking. */
  checkPayment: (order: Pick<Order, 'paymentStatus'>) => order.paymentStatus === 'pending',
};

export type Step = { title: string; hint?: string };

export function timeline(status: OrderStatus): Step[] {
  const steps: Step[] = [{ title: 'Order Placed' }];
  if (status !== 'pending' && status !== 'N/A') steps.push({ title: 'Order Confirmed' });
  if (status === 'N/A') {
    steps.push({ title: 'Delivery Partner Not Integrated', hint: 'Delivery service will be available soon' });
  }
  if (status === 'shipped') steps.push({ title: 'Order Shipped', hint: 'In transit' });
  if (status === 'delivered') steps.push({ title: 'Order Delivered' });
  return steps;
}

/** An order has one item for each pack size; customers read one line for each product. */
export function linesOf(items: OrderItem[]): Line[] {
  const lines = new Map<string, Line>();
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

const PREVIEWED = 2;

export function preview<Item>(items: Item[]): { shown: Item[]; more: string } {
  const rest = items.length - PREVIEWED;
  return { shown: items.slice(0, PREVIEWED), more: rest > 0 ? `+${rest} more item(s)` : '' };
}

export type PaymentState = 'success' | 'failure' | 'pending';

/** As the payment page sees it: whatever is neither completed nor failed is still open. */
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
