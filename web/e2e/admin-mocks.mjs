// Mocks of the admin endpoints: a signed-in admin, a small catalogue, some orders, and a record of the requests. For tests
// that are about the pages only.
import { mockApi } from './api-mocks.mjs';
import { order, problem } from './customer-fixtures.mjs';
import { failure, products } from './fixtures.mjs';

const admin = { _id: 'admin-1', name: 'Meera Joshi', email: 'admin@mirasa.example', photo: null, role: 'admin' };

export const orderId = (index) => `0199f1c4-aaaa-7bbb-8ccc-${String(index).padStart(12, '0')}`;

export function manyOrders(count) {
  const statuses = ['confirmed', 'pending', 'shipped', 'delivered', 'cancelled', 'N/A'];
  return Array.from({ length: count }, (_, index) =>
    order({
      _id: orderId(index + 1),
      userId: `0199f1c4-0000-7bbb-8ccc-00000000${String(9000 + index)}`,
      merchantOrderId: `MIR-MOCK-${index + 1}`,
      orderStatus: statuses[index % statuses.length],
      paymentStatus: index % 5 === 4 ? 'failed' : 'completed',
      totalAmount: 420 + index * 37.5,
    }),
  );
}

export const listedProblem = (index, more = {}) => ({
  ...problem({ _id: `problem-${index}`, orderId: orderId(index) }),
  orderNumber: orderId(index).slice(-8).toUpperCase(),
  customerName: 'Asha Kulkarni',
  customerEmail: 'asha@example.com',
  deliveredAt: '2026-11-16T05:00:00Z',
  orderTotal: 620,
  productNames: { 'goda-masala': 'Goda Masala', 'chai-masala': 'Chai Masala' },
  settled: false,
  overdue: false,
  ...more,
});

export const reservation = (index, more = {}) => ({
  orderId: orderId(index),
  customerName: 'Asha Kulkarni',
  customerEmail: 'asha@example.com',
  packs: 18047,
  grams: 1_353_525,
  totalAmount: 1_895_410,
  createdAt: '2026-11-14T06:35:00Z',
  reservedUntil: '2026-11-14T06:50:00Z',
  ...more,
});

export const message = (index, more = {}) => ({
  _id: `0199f1c4-dddd-7bbb-8ccc-${String(index).padStart(12, '0')}`,
  name: 'Asha Kulkarni',
  email: 'asha@example.com',
  message: `Question ${index}\nIs the goda masala vegan?`,
  createdAt: '2026-11-14T06:35:00Z',
  readAt: null,
  doneAt: null,
  canReply: true,
  replies: [],
  ...more,
});

export const invoice = (index, more = {}) => ({
  _id: `invoice-${index}`,
  number: `MIR/26-27/${String(index).padStart(6, '0')}`,
  kind: 'tax invoice',
  orderId: orderId(index),
  issuedAt: '2026-11-14T08:00:00Z',
  placeOfSupply: '27-Maharashtra',
  taxable: 590.48,
  cgst: 14.76,
  sgst: 14.76,
  igst: 0,
  total: 620,
  refersTo: null,
  ...more,
});

/** A test may change the returned state while it runs: the responses follow it. */
export async function openAdminWithMocks(page, mocks = {}) {
  const state = {
    user: admin,
    authenticated: true,
    products: await products(page),
    orders: manyOrders(23),
    deletedOrders: [],
    problems: [],
    issues: [],
    messages: [],
    invoices: [],
    discounts: [],
    stock: [],
    batches: [],
    toDo: {},
    reserved: [],
    entries: [],
    sent: [],
    reject: {},
    ...mocks,
  };
  // The mocks change their own copy, not the products of the test.
  state.products = structuredClone(state.products);
  const respondWith = (request, json, status = 200) => request.fulfill({ status, json });
  await mockApi(page, '/api/auth/check-auth', (request) =>
    respondWith(request, { authenticated: state.authenticated }),
  );
  await mockApi(page, '/api/userinfo', (request) =>
    state.authenticated
      ? respondWith(request, { user: state.user })
      : request.fulfill(failure(401, 'unauthorized', 'not authenticated')),
  );
  await mockApi(page, '/api/admin/**', async (request) => {
    const url = new URL(request.url);
    const path = url.pathname.replace('/api/admin/', '');
    const call = `${request.method} ${path}`;
    const isForm = path === 'upload-images';
    state.sent.push({ call, query: url.searchParams, body: isForm ? request.body : request.json });
    const rejection = Object.entries(state.reject).find(([start]) => call.startsWith(start))?.[1];
    if (rejection) {
      await rejection.after;
      return request.fulfill(
        failure(rejection.status, rejection.status === 409 ? 'conflict' : 'internal', rejection.text),
      );
    }
    return respondWith(request, ...respond(state, request.method, path, url.searchParams, state.sent.at(-1).body));
  });
  return state;
}

function respond(state, method, path, query, body) {
  const [head, id, part] = path.split('/').map(decodeURIComponent);
  if (head === 'products' && method === 'GET' && id) {
    const product = state.products.find(({ _id }) => _id === id);
    return product ? [{ product }] : [failure(404, 'not_found', 'Product not found').json, 404];
  }
  if (head === 'products' && method === 'GET')
    return [pageOf(found(state.products, query.get('search')), query, 'products')];
  if (head === 'products') {
    const product = state.products.find(({ _id }) => _id === id);
    if (part === 'toggle-visibility') {
      product.isVisible = !product.isVisible;
      return [{ isVisible: product.isVisible }];
    }
    product.trendingRank = body.trendingRank;
    return [{ trendingRank: body.trendingRank }];
  }
  if (head === 'addProduct') {
    const product = { ...body, _id: 'new-one', image_details: [], version: 1, updatedAt: '2026-11-14T06:35:00Z' };
    state.products.unshift(product);
    return [{ product }, 201];
  }
  if (head === 'updateProduct') {
    const product = state.products.find(({ _id }) => _id === id);
    const { version } = product;
    if (body.version !== version) {
      const text = 'Somebody else changed this product meanwhile. Please reload and try again.';
      return [failure(409, 'product_changed', text).json, 409];
    }
    const change = body.stock_change ?? body.stock - body.stock_seen;
    Object.assign(product, body, { version: version + 1, stock: product.stock + change });
    return [{ product }];
  }
  if (head === 'deleteProduct') {
    state.products = state.products.filter(({ _id }) => _id !== id);
    return [{ success: true }];
  }
  if (head === 'upload-images') {
    const name = /filename="([^"]+)"/.exec(body ?? '')?.[1] ?? 'unknown';
    if (/not a picture/.test(body ?? ''))
      return [failure(415, 'not_an_image', `${name} is no picture`, 'images').json, 415];
    return [{ files: [name.replace('.png', '.webp')] }];
  }
  if (head === 'audit') return [{ entries: state.entries }];
  if (head === 'concerns' && method === 'GET') return [{ concerns: state.issues }];
  if (head === 'concerns') {
    state.issues = state.issues.filter(({ _id }) => _id !== id);
    return [{ success: true }];
  }
  if (head === 'messages' && part === 'sender') return [{ customer: null, orders: [] }];
  if (head === 'messages') return respondToMessages(state, method, id, part, query, body);
  if (head === 'search') return [{ orders: [], customers: [], products: [] }];
  if (head === 'customers') return [{ customers: [], total: 0, page: 1, pages: 1 }];
  if (head === 'discounts' && method === 'GET') return [{ discounts: state.discounts }];
  if (head === 'invoices') {
    const invoices = state.invoices.filter(({ issuedAt }) => issuedAt.startsWith(query.get('month')));
    const sum = (field) =>
      invoices.reduce((total, one) => total + (one.kind === 'credit note' ? -one[field] : one[field]), 0);
    const sums = Object.fromEntries(['taxable', 'cgst', 'sgst', 'igst', 'total'].map((field) => [field, sum(field)]));
    return [{ invoices, ...sums }];
  }
  if (head === 'shipments') {
    const summary = { delivered: 0, returned: 0, cost: 0, averageDays: null };
    const lists = { shipments: [], toShip: [], toShipTotal: 0, attention: 0 };
    return [{ ...lists, total: 0, page: 1, pages: 1, summary, hasPartner: true }];
  }
  if (path === 'orders/packed') {
    const isPacked = ({ _id }) => body.orders.includes(_id);
    const pack = (order) => ({
      ...order,
      packedAt: '2026-11-14T08:00:00Z',
      invoice: invoice(1, { orderId: order._id }),
    });
    state.orders = state.orders.map((order) => (isPacked(order) ? pack(order) : order));
    return [{ orders: state.orders.filter(isPacked), notPacked: [] }];
  }
  if (head === 'to-do') return [toDo(state)];
  if (head === 'stock' && method === 'GET') return [{ products: state.stock, lowDays: 7 }];
  if (head === 'batches' && method === 'GET') return [{ batches: state.batches }];
  if (head === 'reserved-stock') return [{ orders: state.reserved, more: false }];
  if (part === 'release') {
    state.reserved = state.reserved.filter(({ orderId }) => orderId !== id);
    return [{ order: state.orders.find(({ _id }) => _id === id) }];
  }
  if (head === 'orders' && method === 'GET') {
    const list = query.get('deleted') === 'true' ? state.deletedOrders : state.orders;
    return [pageOf(filtered(list, query), query, 'orders')];
  }
  if (head === 'problems' && method === 'GET') {
    const wanted = query.get('state');
    const isWanted = (one) => wanted === 'all' || (wanted === 'unsettled' ? !one.settled : one.state === wanted);
    const open = state.problems.filter((one) => one.state === 'open').length;
    return [{ ...pageOf(state.problems.filter(isWanted), query, 'problems'), open }];
  }
  if (part === 'restore') {
    const order = { ...state.deletedOrders.find(({ _id }) => _id === id), deletedAt: null };
    state.deletedOrders = state.deletedOrders.filter(({ _id }) => _id !== id);
    state.orders = [order, ...state.orders];
    return [{ order }];
  }
  if (head === 'orders' && method === 'DELETE') {
    const deleted = state.orders.find(({ _id }) => _id === id);
    if (deleted) state.deletedOrders.push({ ...deleted, deletedAt: '2026-11-16T06:35:00Z' });
    state.orders = state.orders.filter(({ _id }) => _id !== id);
    return [{ success: true }];
  }
  if (part === 'status') {
    state.orders = state.orders.map((each) => (each._id === id ? { ...each, orderStatus: body.orderStatus } : each));
    return [{ order: state.orders.find(({ _id }) => _id === id) }];
  }
  return [failure(404, 'not_found', 'no such endpoint').json, 404];
}

function toDo(state) {
  const none = {
    toPack: 0,
    toShip: 0,
    overdue: 0,
    failedRefunds: 0,
    issues: state.issues.length,
    lowStock: 0,
    oldBatches: 0,
    failedEmails: 0,
    parcels: 0,
    unscannedParcels: 0,
  };
  return {
    ...none,
    problems: state.problems.filter((one) => one.state === 'open').length,
    messages: state.messages.filter(({ readAt, doneAt }) => !readAt && !doneAt).length,
    unscannedDays: 4,
    hasPartner: true,
    ...state.toDo,
  };
}

function respondToMessages(state, method, id, part, query, body) {
  const now = '2026-11-14T07:00:00Z';
  const has = {
    open: ({ doneAt }) => !doneAt,
    unread: ({ readAt, doneAt }) => !readAt && !doneAt,
    done: ({ doneAt }) => doneAt,
    all: () => true,
  };
  if (!id) {
    const list = state.messages.filter(has[query.get('state') ?? 'open']);
    return [{ ...pageOf(list, query, 'messages'), unread: state.messages.filter(has.unread).length }];
  }
  const message = state.messages.find(({ _id }) => _id === id);
  if (!message) return [failure(404, 'message_not_found', 'Message not found.').json, 404];
  if (part === 'reply') {
    const reply = { _id: `reply-${message.replies.length}`, text: body.text, by: state.user.email, at: now };
    message.replies = [...message.replies, { ...reply, delivery: 'sent' }];
    message.readAt ??= now;
    if (body.done) message.doneAt = now;
  } else if (method === 'PUT') {
    if (body.read !== undefined) message.readAt = body.read ? now : null;
    if (body.done !== undefined) message.doneAt = body.done ? now : null;
  }
  return [{ message }];
}

const found = (list, search) =>
  search
    ? list.filter(({ _id, product_name }) => `${_id} ${product_name}`.toLowerCase().includes(search.toLowerCase()))
    : list;

const filtered = (list, query) =>
  list.filter(
    (each) =>
      (!query.get('status') || each.orderStatus === query.get('status')) &&
      each._id.includes(query.get('orderId') ?? '') &&
      each.userId.includes(query.get('userId') ?? ''),
  );

function pageOf(list, query, name) {
  const limit = Number(query.get('limit') ?? 1000);
  const page = Number(query.get('page') ?? 1);
  return {
    [name]: list.slice((page - 1) * limit, page * limit),
    total: list.length,
    page,
    pages: Math.max(1, Math.ceil(list.length / limit)),
  };
}

export const testImage = (name) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
});

export const invalidImage = (name) => ({ name, mimeType: 'image/png', buffer: Buffer.from('not a picture') });
