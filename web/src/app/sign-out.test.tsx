// @vitest-environment happy-dom
// Opens every page that shows user data, signs out, and searches the cache of the tab for that data.
import { readFileSync } from 'node:fs';
import type { QueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import type { User } from '~/api/types';
import { AuditLog } from '~/features/admin/console/audit-log';
import AdminLayout from '~/features/admin/layout/admin-layout';
import OverviewSection from '~/features/admin/overview/overview-section';
import { useSignOutEverywhere } from '~/shared/auth/sign-out';
import { testCustomer, testCustomerDetails, testCustomerOrder } from '~/testing/customer';
import { testDiscount } from '~/testing/discount';
import { testInvoice, testOrder } from '~/testing/order';
import { testOverview } from '~/testing/overview';
import { testProduct } from '~/testing/product';
import { mockApi, renderApp } from '~/testing/render';
import { listedBatch, nothingToDo, testStock } from '~/testing/stock';
import CheckoutPage from './pages/account/checkout-page';
import OrdersPage from './pages/account/orders-page';
import PaymentResultPage from './pages/account/payment-result-page';
import ProfilePage from './pages/account/profile-page';
import ReviewPage from './pages/account/review-page';
import WishlistPage from './pages/account/wishlist-page';
import AdminPage from './pages/admin-page';
import { createQueryClient } from './query-client';

/** In every response that needs a session. */
const PRIVATE = 'Asha Kulkarni, 12 Laxmi Road';

const user: User = {
  _id: 'u1',
  name: PRIVATE,
  email: 'asha@example.com',
  phone: null,
  dateOfBirth: null,
  gender: null,
  photo: null,
  profilePicture: null,
  role: 'admin',
};
const address = {
  _id: 'a1',
  addressName: PRIVATE,
  name: 'Asha',
  phone: '+919876543210',
  city: 'Pune',
  isDefault: true,
};
const item = { productId: 'p1', productName: PRIVATE, image: '', qty_50g: 1, qty_100g: 0, price: 65, lineTotal: 65 };
const order = {
  _id: 'o1',
  merchantOrderId: 'M1',
  userId: 'u1',
  createdAt: '2026-11-14T06:35:00Z',
  totalAmount: 65,
  paymentStatus: 'completed',
  orderStatus: 'confirmed',
  items: [item],
  deliveryAddress: { ...address, pincode: '411030' },
  paymentDetails: { errorMessage: null },
  refunds: [],
  refundableAmount: 65,
  events: [],
  problems: [],
  cancellableUntil: null,
  deliveredAt: null,
  reportableUntil: null,
  replacesOrderId: null,
  deletedAt: null,
};
const customer = { ...testCustomer, name: PRIVATE };
const message = {
  _id: 'm1',
  name: PRIVATE,
  email: 'asha@example.com',
  message: 'Hello',
  createdAt: '2026-11-14T06:35:00Z',
  readAt: '2026-11-14T06:36:00Z',
  doneAt: null,
  replies: [],
};
const problem = {
  _id: 'p1',
  orderId: 'o1',
  orderNumber: 'O1',
  message: PRIVATE,
  lines: [],
  images: [],
  state: 'declined',
  response: '',
  createdAt: '2026-11-14T06:35:00Z',
  resolvedAt: '2026-11-14T06:36:00Z',
  resolvedBy: 'admin',
  dueAt: null,
  refundId: null,
  replacementOrderId: null,
  customerName: 'Asha',
  customerEmail: 'asha@example.com',
  orderTotal: 65,
  productNames: {},
  settled: true,
  overdue: false,
};
const review = {
  _id: 'r1',
  stars: 5,
  text: PRIVATE,
  images: [],
  author: 'Asha K.',
  createdAt: '2026-11-14T06:35:00Z',
  editedAt: null,
  helpful: 0,
  reply: null,
  productId: 'goda-masala',
  productName: 'Goda Masala',
  hiddenReason: null,
};
const cartItem = { ...item, image_colour: '', price_50g: 65, price_100g: null, max_50g: 9, max_100g: 0, notice: null };
const page = { total: 1, page: 1, pages: 1 };

const sums = { taxable: 1, cgst: 0, sgst: 0, igst: 0, total: 1 };

const responses = {
  'GET /api/userinfo': { user },
  'GET /api/user/profile': { user },
  'GET /api/addresses': { addresses: [address] },
  'GET /api/cart/cart': {
    cart: { items: [cartItem], totalPacks: 1, totalAmount: 65, discountCode: PRIVATE, version: 1 },
  },
  'GET /api/user/wishlist': { wishlist: [{ _id: 'p1', name: PRIVATE, images: [], image: '', mrp: [], price: null }] },
  'GET /api/user/orders': { orders: [order] },
  'GET /api/user/orders/{id}': { order },
  'GET /api/payment/order/db/{merchantOrderId}': { success: true, message: '', order },
  'GET /api/admin/products': { products: [{ ...testProduct, description: PRIVATE }], ...page },
  'GET /api/admin/products/{id}': { product: { ...testProduct, description: PRIVATE } },
  'GET /api/admin/orders': { orders: [order], ...page },
  'GET /api/admin/orders/{id}': {
    order: { ...testOrder, _id: 'o1' },
    notes: [{ _id: 'n1', text: PRIVATE, by: 'admin', at: '2026-11-14T06:35:00Z' }],
    customer: { ...testCustomer, _id: 'o1' },
  },
  'GET /api/admin/customers': { customers: [customer], ...page },
  'GET /api/admin/customers/{id}': { ...testCustomerDetails, customer },
  'GET /api/admin/concerns': {
    concerns: [{ _id: 'c1', orderId: 'o1', kind: 'refund', detail: PRIVATE, createdAt: '' }],
  },
  'GET /api/admin/reserved-stock': {
    orders: [{ orderId: 'o1', customerName: PRIVATE, packs: 1, grams: 50 }],
    more: false,
  },
  'GET /api/admin/messages': { messages: [message], unread: 0, ...page },
  'GET /api/admin/messages/{id}/sender': { customer, orders: [testCustomerOrder] },
  'GET /api/admin/messages/{id}': { message },
  'GET /api/admin/problems': { problems: [problem], open: 0, ...page },
  'GET /api/admin/invoices': { invoices: [{ ...testInvoice, number: PRIVATE }], ...sums },
  'GET /api/user/reviews': { reviews: [review], canReview: false, helpful: [] },
  'GET /api/admin/reviews': {
    reviews: [{ ...review, customerName: 'Asha', orderId: 'o1', hiddenAt: null, edits: [] }],
    ...page,
  },
  'GET /api/admin/shipments': {
    shipments: [],
    toShip: [{ orderId: 'o1', customer: PRIVATE, city: '', pincode: '', packs: 1, weightGrams: 100, packedAt: null }],
    toShipTotal: 1,
    attention: 0,
    summary: { delivered: 0, returned: 0, cost: 0, averageDays: null },
    hasPartner: true,
    ...page,
  },
  'GET /api/admin/pack-and-ship': {
    orders: [
      {
        order: { ...order, deliveryAddress: { name: '', city: '', pincode: '' } },
        stage: 'pack',
        items: [],
        weightGrams: 100,
        problem: PRIVATE,
        shipmentId: null,
        error: null,
        courier: '',
        cost: null,
      },
    ],
    total: 1,
    hasPartner: true,
  },
  'GET /api/admin/pack-and-ship/costs': { costs: [{ orderId: 'o1', courier: PRIVATE, cost: 1 }] },
  'GET /api/admin/discounts': { discounts: [{ ...testDiscount, code: PRIVATE }] },
  'GET /api/admin/to-do': { ...nothingToDo, failedEmails: 1 },
  'GET /api/admin/failed-emails': {
    emails: [
      {
        _id: 'e1',
        orderId: null,
        recipient: PRIVATE,
        subject: '',
        attempts: 5,
        error: '',
        createdAt: '2026-11-14T06:35:00Z',
        nextAttemptAt: '2026-11-14T07:35:00Z',
      },
    ],
  },
  'GET /api/admin/stock': { products: [{ ...testStock, productName: PRIVATE }], lowDays: 7 },
  'GET /api/admin/stock/{productId}/movements': {
    movements: [
      {
        _id: 'm1',
        reason: 'count',
        orderId: null,
        change: testStock.unpaid,
        note: PRIVATE,
        by: 'admin',
        batch: null,
        at: '2026-11-14T06:35:00Z',
      },
    ],
    ...page,
  },
  'GET /api/admin/batches': { batches: [{ ...listedBatch, number: PRIVATE }] },
  'GET /api/admin/overview': { ...testOverview, categories: [{ category: PRIVATE, packs: 6, sales: 1100 }] },
  'GET /api/admin/audit': { entries: [{ at: '2026-11-14T06:35:00Z', action: PRIVATE, detail: '', who: 'admin' }] },
};

/** Endpoints that need a session and that no page reads when it is opened. A new one belongs either here or into `responses`. */
const NOT_QUERIED = [
  '/api/user/addresses',
  '/api/user/export',
  '/api/user/orders/{id}/problem-images/{file}',
  '/api/user/orders/{id}/invoice.pdf',
  '/api/user/orders/{id}/credit-notes/{file}',
  '/api/admin/orders/{id}/invoice.pdf',
  '/api/admin/orders/{id}/credit-notes/{file}',
  '/api/admin/packing.pdf',
  '/api/admin/pack-and-ship/papers.pdf',
  '/api/admin/invoices/export.csv',
  '/api/admin/gstr1/{file}',
  '/api/admin/orders/export.csv',
  '/api/admin/products/export.csv',
  '/api/admin/labels.pdf',
  '/api/admin/manifest.pdf',
  '/api/admin/orders/{id}/couriers',
  '/api/admin/users',
  '/api/admin/search',
  '/api/admin/batches/{id}/recipients',
  '/api/admin/batches/{id}/recipients.csv',
  '/api/admin/reviews/{id}/images/{file}',
];

const pages: [url: string, children: ReactNode][] = [
  ['/user/dashboard/profile', <ProfilePage key="profile" />],
  ['/user/dashboard/profile?tab=addresses', <ProfilePage key="addresses" />],
  ['/orders?order=o1', <OrdersPage key="orders" />],
  ['/checkout', <CheckoutPage key="checkout" />],
  ['/wishlist', <WishlistPage key="wishlist" />],
  ['/payment/status?merchantOrderId=M1', <PaymentResultPage key="payment" />],
  ['/admins?section=products', <AdminPage key="admin" />],
  ['/admins?section=products&product=goda-masala', <AdminLayout key="product" user={user} />],
  ['/admins?section=orders', <AdminLayout key="orders" user={user} />],
  ['/admins?section=orders&order=o1', <AdminLayout key="order" user={user} />],
  ['/admins?section=customers', <AdminLayout key="customers" user={user} />],
  ['/admins?section=customers&customer=o1', <AdminLayout key="customer" user={user} />],
  ['/admins?section=messages&message=m1', <AdminLayout key="messages" user={user} />],
  ['/admins?section=problems', <AdminLayout key="problems" user={user} />],
  ['/review?product=goda-masala', <ReviewPage key="review" />],
  ['/admins?section=reviews', <AdminLayout key="reviews" user={user} />],
  ['/admins?section=invoices&month=2026-11', <AdminLayout key="invoices" user={user} />],
  ['/admins?section=pack-and-ship', <AdminLayout key="pack-and-ship" user={user} />],
  ['/admins?section=shipments', <AdminLayout key="shipments" user={user} />],
  ['/admins?section=discounts', <AdminLayout key="discounts" user={user} />],
  ['/admins?section=to-do&show=emails', <AdminLayout key="to-do" user={user} />],
  ['/admins?section=overview', <OverviewSection key="overview" />],
  ['/admins?section=stock&show=batches&product=goda-masala', <AdminLayout key="stock" user={user} />],
];

const withPrivateData = (client: QueryClient) =>
  client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => JSON.stringify(state.data ?? '').includes(PRIVATE));

const SignOut = () => (
  <button type="button" onClick={useSignOutEverywhere()}>
    Sign out
  </button>
);

it('signing out removes everything that needed a session', async () => {
  const filled = Object.entries(responses).map(([call, body]) => [
    call
      .replace('messages/{id}', 'messages/m1')
      .replace('{productId}', 'goda-masala')
      .replace('products/{id}', 'products/goda-masala')
      .replace('{id}', 'o1')
      .replace('{merchantOrderId}', 'M1'),
    body,
  ]);
  const requests = mockApi({
    ...Object.fromEntries(filled),
    'GET /api/auth/check-auth': { authenticated: true },
    'GET /api/shop': { shop: { name: 'Mirasa', imageHosts: [] } },
    'GET /api/products/api/productInfo/goda-masala': { product: testProduct },
    'GET /api/products/api/filters': { categories: [], quantities: [] },
    'POST /api/auth/logout-everywhere': { success: true },
  });
  const client = createQueryClient(false);
  const wasRead = (call: string) => requests.some((request) => request.call.split('?')[0] === call);
  for (const [url, children] of pages) {
    const view = renderApp(children, url, client);
    await screen.findAllByText((text) => text.includes(PRIVATE));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    view.unmount();
  }
  const log = renderApp(<AuditLog about="o1" />, '/', client);
  await log.user.click(screen.getByRole('button', { name: 'History' }));
  await screen.findByText(PRIVATE);
  for (const [call] of filled) expect([call, wasRead(String(call))]).toEqual([call, true]);

  const keys = withPrivateData(client).map(({ queryKey }) => queryKey);
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter(([scope]) => scope !== 'user')).toEqual([]);

  const { user: person } = renderApp(<SignOut />, '/', client);
  await person.click(screen.getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(withPrivateData(client)).toEqual([]));
  expect(client.getQueryCache().findAll({ queryKey: ['user'] })).toEqual([]);
});

it('covers every endpoint that needs a session', () => {
  const { paths } = JSON.parse(readFileSync('../api/openapi.json', 'utf8'));
  // The description demands a session of all operations but those that say they need none.
  const needSession = Object.keys(paths).filter((path) => paths[path].get && !paths[path].get.security);
  const covered = Object.keys(responses).map((call) => call.replace('GET ', ''));
  expect(needSession.filter((path) => !covered.includes(path) && !NOT_QUERIED.includes(path))).toEqual([]);
});
