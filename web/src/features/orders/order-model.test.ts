import { describe, expect, it } from 'vitest';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { lineItems, orderPermissions, paymentMessage, paymentState, previewItems, timeline } from './order-model';

describe('the timeline', () => {
  const titles = (status: Parameters<typeof timeline>[0]) => timeline(status).map((step) => step.title);
  it('follows the status', () => {
    expect(titles('pending')).toEqual(['Order Placed']);
    expect(titles('confirmed')).toEqual(['Order Placed', 'Order Confirmed']);
    expect(titles('shipped')).toEqual(['Order Placed', 'Order Confirmed', 'Order Shipped']);
    expect(titles('delivered')).toEqual(['Order Placed', 'Order Confirmed', 'Order Delivered']);
    expect(titles('cancelled')).toEqual(['Order Placed', 'Order Confirmed']);
    expect(titles('N/A')).toEqual(['Order Placed', 'Delivery Partner Not Integrated']);
    expect(timeline('N/A')[1]?.hint).toBe('Delivery service will be available soon');
  });
});

it('statuses have their colours', () => {
  const of = (...statuses: Parameters<typeof statusTone>[0][]) => statuses.map(statusTone);
  expect(of('completed', 'delivered')).toEqual(['green', 'green']);
  expect(of('pending', 'confirmed')).toEqual(['yellow', 'yellow']);
  expect(of('shipped')).toEqual(['blue']);
  expect(of('failed', 'cancelled')).toEqual(['red', 'red']);
  expect(statusLabel('confirmed')).toBe('Confirmed');
});

it('a card shows the last 8 characters and 2 items', () => {
  expect(shortId('0192f1c4-aaaa-7bbb-8ccc-1234abcdef90')).toBe('ABCDEF90');
  expect(previewItems(['a', 'b'])).toEqual({ shown: ['a', 'b'], more: '' });
  expect(previewItems(['a', 'b', 'c', 'd'])).toEqual({ shown: ['a', 'b'], more: '+2 more item(s)' });
});

it('items of one product are one line, with each size at its own price', () => {
  const item = (productId: string, grams: 50 | 100, quantity: number, price: number) => ({
    productId,
    productName: productId,
    image: '',
    quantity,
    price,
    qty_50g: grams === 50 ? quantity : 0,
    qty_100g: grams === 100 ? quantity : 0,
    lineTotal: quantity * price,
    discount: 0,
    held: quantity,
  });
  const lines = lineItems([item('goda', 50, 1, 65), item('goda', 100, 2, 120), item('chai', 100, 1, 90)]);
  expect(lines.map(({ productId, lineTotal }) => [productId, lineTotal])).toEqual([
    ['goda', 305],
    ['chai', 90],
  ]);
  expect(lines[0]).toMatchObject({ qty_50g: 1, qty_100g: 2, price_50g: 65, price_100g: 120 });
  expect(lines[1]).toMatchObject({ qty_50g: 0, qty_100g: 1, price_50g: null, price_100g: 90 });
});

describe('the payment', () => {
  it('completed is success, failed is failure, anything else is pending', () => {
    expect(['completed', 'failed', 'pending', 'whatever'].map(paymentState)).toEqual([
      'success',
      'failure',
      'pending',
      'pending',
    ]);
  });
  it('has the texts of the specification', () => {
    const say = (paymentStatus: 'completed' | 'failed' | 'pending', errorMessage: string | null = null) =>
      paymentMessage({ paymentStatus, paymentDetails: { errorMessage } });
    expect(say('completed')).toBe('Payment successful! Your order has been confirmed.');
    expect(say('failed')).toBe('Payment failed. Please try again.');
    expect(say('failed', 'The bank said no')).toBe('The bank said no');
    expect(say('pending')).toBe('Payment pending...');
  });
  it('may be tried again only once it has failed', () => {
    const can = (paymentStatus: 'completed' | 'failed' | 'pending') => [
      orderPermissions.payAgain({ paymentStatus }),
      orderPermissions.checkPayment({ paymentStatus }),
    ];
    expect(can('failed')).toEqual([true, false]);
    expect(can('pending')).toEqual([false, true]);
    expect(can('completed')).toEqual([false, false]);
  });
});
