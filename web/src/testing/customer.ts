// A customer for tests, with an order, a message, a problem and a review.
import type { Customer, CustomerDetails, CustomerOrder } from '~/api/types';
import { testOrder } from './order';

export const testCustomer: Customer = {
  _id: 'u1',
  name: 'Asha Kulkarni',
  email: 'asha@example.com',
  phone: '+919876543210',
  createdAt: '2026-03-02T06:35:00Z',
  deletedAt: null,
  orders: 2,
  spentAmount: 590.5,
  lastOrderAt: '2026-11-14T06:35:00Z',
};

export const testCustomerOrder: CustomerOrder = {
  _id: '0199f1c4-bbbb-7bbb-8ccc-1234bbbb0002',
  orderNumber: 'BBBB0002',
  createdAt: '2026-10-02T06:35:00Z',
  totalAmount: 280,
  orderStatus: 'delivered',
  paymentStatus: 'completed',
  packs: '2 × Goda Masala (50 g)',
  deletedAt: null,
};

export const testCustomerDetails: CustomerDetails = {
  customer: testCustomer,
  addresses: [{ _id: 'a1', addressName: 'Home', isDefault: true, ...testOrder.deliveryAddress }],
  orders: [testCustomerOrder],
  messages: [
    {
      _id: 'm1',
      name: 'Asha',
      email: 'asha@example.com',
      message: 'Is it hot?',
      createdAt: '2026-11-01T06:35:00Z',
      readAt: null,
      doneAt: null,
      canReply: true,
      replies: [],
    },
  ],
  problems: [
    {
      _id: 'p1',
      orderId: testCustomerOrder._id,
      message: 'The pouch was torn.',
      lines: [],
      images: [],
      state: 'open',
      response: '',
      createdAt: '2026-10-05T06:35:00Z',
      resolvedAt: null,
      resolvedBy: null,
      dueAt: null,
      refundId: null,
      replacementOrderId: null,
    },
  ],
  reviews: [
    {
      _id: 'r1',
      productName: 'Goda Masala',
      stars: 4,
      text: 'As at home.',
      createdAt: '2026-10-09T06:35:00Z',
      hiddenAt: null,
    },
  ],
};
