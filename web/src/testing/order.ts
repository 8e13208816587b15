// An order for tests: two packs of 50 g and one of 100 g of one product, one of 50 g of another.
import type { Invoice, Order, OrderEvent, OrderItem, Refund } from '~/api/types';

const item = (productId: string, productName: string, grams: 50 | 100, quantity: number, price: number): OrderItem => ({
  productId,
  productName,
  image: '',
  quantity,
  price,
  qty_50g: grams === 50 ? quantity : 0,
  qty_100g: grams === 100 ? quantity : 0,
  lineTotal: quantity * price,
  discount: 0,
  held: quantity,
});

export const testOrder: Order = {
  _id: '0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d',
  version: 3,
  merchantOrderId: 'MIR-TEST-1',
  userId: 'u1',
  createdAt: '2026-11-14T06:35:00Z',
  updatedAt: '2026-11-14T06:36:00Z',
  totalAmount: 310.5,
  discountCode: null,
  discountAmount: 0,
  paymentStatus: 'completed',
  orderStatus: 'confirmed',
  items: [
    item('goda-masala', 'Goda Masala', 50, 2, 65),
    item('goda-masala', 'Goda Masala', 100, 1, 120),
    item('chai-masala', 'Chai Masala', 50, 1, 60.5),
  ],
  deliveryAddress: {
    name: 'Asha Kulkarni',
    phone: '+919876543210',
    addressLine1: '12 Laxmi Road',
    addressLine2: '',
    city: 'Pune',
    state: 'Maharashtra',
    pincode: '411030',
  },
  paymentDetails: { errorMessage: null },
  refunds: [],
  refundedAmount: 0,
  refundableAmount: 310.5,
  restKept: 0,
  events: [],
  problems: [],
  cancellableUntil: null,
  needsCancellationRequest: false,
  cancellation: null,
  deliveredAt: null,
  reportableUntil: null,
  replacesOrderId: null,
  deletedAt: null,
  packedAt: null,
  invoice: null,
  creditNotes: [],
  shipment: null,
};

export const testInvoice: Invoice = {
  _id: 'i1',
  number: 'MIR/26-27/000123',
  kind: 'tax invoice',
  orderId: testOrder._id,
  issuedAt: '2026-11-14T08:00:00Z',
  placeOfSupply: '27-Maharashtra',
  taxable: 295.72,
  cgst: 7.39,
  sgst: 7.39,
  igst: 0,
  total: 310.5,
  refersTo: null,
};

export const testCreditNote: Invoice = {
  ...testInvoice,
  _id: 'c1',
  number: 'CRN/26-27/000007',
  kind: 'credit note',
  taxable: 61.9,
  cgst: 1.55,
  sgst: 1.55,
  total: 65,
  refersTo: testInvoice.number,
};

export const testRefund: Refund = {
  _id: 'r1',
  amount: 65,
  reason: 'One pouch was torn',
  state: 'completed',
  requestedBy: 'shop',
  createdAt: '2026-11-15T04:00:00Z',
  updatedAt: '2026-11-16T04:00:00Z',
  lines: [],
  retryOf: null,
  supersededBy: null,
  error: null,
};

export const testEvent = (at: string, kind: string, more: Partial<OrderEvent> = {}): OrderEvent => ({
  _id: `${kind} ${at}`,
  at,
  kind,
  by: 'shop',
  text: kind,
  status: null,
  ...more,
});

export const testShipment = (status: NonNullable<Order['shipment']>['status']): NonNullable<Order['shipment']> => ({
  status,
  expectedBy: null,
  courier: 'Xpressbees Surface',
  trackingNumber: '19041237157590',
  trackingUrl: '',
  events: [],
});
