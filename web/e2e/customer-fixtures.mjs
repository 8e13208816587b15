// Fixtures of tests with a signed-in customer: a new customer for every test, carts and addresses through the API, and
// mock orders for tests that are about the page only.
import assert from 'node:assert/strict';
import { base, desktop, eventually, phone, signIn, test } from './fixtures.mjs';

/** For tests whose result does not depend on the width: they run once, on the narrow screen. */
export const testOnPhone = (name, act, options = {}) => test(name, act, { viewport: phone, ...options });

/** For tests of pages with different layouts on a phone and on a desktop: they run once on each. */
export function testOnPhoneAndDesktop(name, act, options = {}) {
  test(`${name} (phone)`, act, { viewport: phone, ...options });
  test(`${name} (desktop)`, act, { viewport: desktop, ...options });
}

let emailCount = 0;
export const newEmail = (name) => `${name}.${process.pid}.${Date.now()}.${emailCount++}@example.com`;

export async function newCustomer(page, path = '') {
  const email = newEmail('asha');
  await signIn(page, email, path);
  return email;
}

/** Sends a request of the user who is signed in in this browser. */
export async function send(page, method, path, data) {
  // The server closes idle connections; a request may meet one that is just being closed. Only reading may be repeated.
  const maxRetries = method === 'GET' ? 2 : 0;
  const response = await page.request.fetch(path, { method, data, headers: { origin: base }, maxRetries });
  assert.ok(response.ok(), `${method} ${path}: ${response.status()} ${await response.text()}`);
  return response.json();
}

export const putIntoCart = (page, productId, qty_50g, qty_100g) =>
  send(page, 'POST', '/api/cart/add-to-cart', { productId, qty_50g, qty_100g });

export const homeAddress = {
  addressName: 'Home',
  name: 'Asha Kulkarni',
  phone: '9876543210',
  addressLine1: '12 Laxmi Road',
  addressLine2: 'Sadashiv Peth',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411030',
  isDefault: true,
};

export async function saveAddress(page, changes = {}) {
  return (await send(page, 'POST', '/api/addresses', { ...homeAddress, ...changes })).address;
}

/**
 * Orders packs without the pages, which checkout.e2e.mjs tests. `outcome` is the button of the sandbox's payment page: `pay`,
 * `fail` or `pending`. Returns the order when it has that result.
 */
export async function placeOrder(page, productId, qty_50g, qty_100g, outcome = 'pay') {
  await putIntoCart(page, productId, qty_50g, qty_100g);
  const { addresses } = await send(page, 'GET', '/api/addresses');
  const { _id: addressId } = addresses[0] ?? (await saveAddress(page));
  const { redirectUrl, merchantOrderId } = await send(page, 'POST', '/api/cart/checkout', { addressId });
  const response = await page.request.post(redirectUrl, {
    form: { outcome },
    headers: { origin: base },
    maxRedirects: 0,
  });
  assert.equal(response.status(), 303);
  const expected = { pay: 'completed', fail: 'failed', pending: 'pending' }[outcome];
  const result = await eventually(
    () => send(page, 'GET', `/api/payment/order/db/${merchantOrderId}`),
    (found) => found.order.paymentStatus === expected,
  );
  return result.order;
}

const cartButton = (page) => page.getByRole('banner').getByRole('button', { name: /^Cart/ });
/** The label of the cart button in the header: 'Cart', 'Cart, 1 pack', … */
export const expectCartLabel = (page, label) => eventually(() => cartButton(page).getAttribute('aria-label'), label);

export const refund = (changes = {}) => ({
  _id: 'refund-1',
  amount: 65,
  reason: 'One pouch was torn',
  state: 'completed',
  requestedBy: 'shop',
  createdAt: '2026-11-15T06:35:00Z',
  updatedAt: '2026-11-16T06:35:00Z',
  lines: [],
  retryOf: null,
  supersededBy: null,
  error: null,
  ...changes,
});

export const problem = (changes = {}) => ({
  _id: 'problem-1',
  orderId: '0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d',
  message: 'Two pouches were torn at the seam.\nThe carton was wet.',
  lines: [{ productId: 'goda-masala', qty_50g: 2, qty_100g: 0 }],
  images: [],
  state: 'open',
  response: '',
  createdAt: '2026-11-16T06:35:00Z',
  resolvedAt: null,
  resolvedBy: null,
  dueAt: '2026-11-19T06:35:00Z',
  refundId: null,
  replacementOrderId: null,
  ...changes,
});

/** An order as the API returns it. */
export function order(changes = {}) {
  // One for each pack size.
  const items = (productId, productName, qty_50g, qty_100g) =>
    [
      { quantity: qty_50g, price: 65, qty_50g, qty_100g: 0 },
      { quantity: qty_100g, price: 120, qty_50g: 0, qty_100g },
    ]
      .filter(({ quantity }) => quantity > 0)
      .map((item) => ({
        productId,
        productName,
        image: `${productId} pouch.webp`,
        ...item,
        lineTotal: item.quantity * item.price,
        discount: 0,
        held: item.quantity,
      }));
  return {
    _id: '0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d',
    version: 3,
    merchantOrderId: 'MIR-TEST-1',
    userId: 'asha',
    createdAt: '2026-11-14T06:35:00Z',
    updatedAt: '2026-11-14T06:36:00Z',
    totalAmount: 620,
    discountCode: null,
    discountAmount: 0,
    paymentStatus: 'completed',
    orderStatus: 'confirmed',
    items: [
      ...items('goda-masala', 'Goda Masala', 2, 1),
      ...items('chai-masala', 'Chai Masala', 1, 0),
      ...items('rasam-powder', 'Rasam Powder', 1, 2),
    ],
    deliveryAddress: {
      name: homeAddress.name,
      phone: '+919876543210',
      addressLine1: homeAddress.addressLine1,
      addressLine2: homeAddress.addressLine2,
      city: homeAddress.city,
      state: homeAddress.state,
      pincode: homeAddress.pincode,
    },
    paymentDetails: { errorMessage: null },
    refunds: [],
    refundedAmount: (changes.refunds ?? []).reduce(
      (sum, { state, amount }) => (state === 'failed' ? sum : sum + amount),
      0,
    ),
    refundableAmount: changes.paymentStatus && changes.paymentStatus !== 'completed' ? 0 : (changes.totalAmount ?? 620),
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
    ...changes,
  };
}
