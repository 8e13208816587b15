// The query keys of the admin area. Customers do not load them.

/** What admins see is user data, too: the next user of this tab may be no admin. */
export const adminKeys = {
  products: ['user', 'admin', 'products'],
  productPage: (search: string, page: number, limit: number) =>
    ['user', 'admin', 'products', search, page, limit] as const,
  product: (id: string) => ['user', 'admin', 'product', id] as const,
  orders: ['user', 'admin', 'orders'],
  orderPage: (filter: object, page: number, limit: number) => ['user', 'admin', 'orders', filter, page, limit] as const,
  /** Below `orders`, so that a change of an order reaches it. */
  order: (id: string) => ['user', 'admin', 'orders', 'one', id] as const,
  /** The page of an order. It has the shape of a page of the list, so that a change of the order reaches it, too. */
  orderPageOf: (id: string) => ['user', 'admin', 'orders', 'page', id] as const,
  customers: ['user', 'admin', 'customers'],
  customerPage: (filter: object) => ['user', 'admin', 'customers', 'list', filter] as const,
  customer: (id: string) => ['user', 'admin', 'customers', 'one', id] as const,
  messageSender: (id: string) => ['user', 'admin', 'customers', 'sender', id] as const,
  search: (text: string) => ['user', 'admin', 'search', text] as const,
  orderIssues: ['user', 'admin', 'order-issues'],
  /** Why orders were not packed. Not fetched: it is what the last attempt said. */
  notPacked: ['user', 'admin', 'not-packed'],
  messages: ['user', 'admin', 'messages'],
  messagePage: (state: string, page: number) => ['user', 'admin', 'messages', state, page] as const,
  message: (id: string) => ['user', 'admin', 'message', id] as const,
  problems: ['user', 'admin', 'problems'],
  problemPage: (state: string, page: number) => ['user', 'admin', 'problems', state, page] as const,
  invoices: ['user', 'admin', 'invoices'],
  invoiceMonth: (month: string) => ['user', 'admin', 'invoices', month] as const,
  reviews: ['user', 'admin', 'reviews'],
  reviewPage: (state: string, page: number) => ['user', 'admin', 'reviews', state, page] as const,
  shipments: ['user', 'admin', 'shipments'],
  shipmentPage: (group: string, page: number) => ['user', 'admin', 'shipments', group, page] as const,
  packAndShip: ['user', 'admin', 'pack-and-ship'],
  parcelCosts: (orderIds: string[]) => ['user', 'admin', 'parcel-costs', orderIds] as const,
  couriers: (orderId: string) => ['user', 'admin', 'couriers', orderId] as const,
  discounts: ['user', 'admin', 'discounts'],
  overview: (from: string, to: string) => ['user', 'admin', 'overview', from, to] as const,
  stock: ['user', 'admin', 'stock'],
  stockLedger: (productId: string, page: number) => ['user', 'admin', 'stock', 'ledger', productId, page] as const,
  batches: ['user', 'admin', 'stock', 'batches'],
  batchRecipients: (id: string) => ['user', 'admin', 'stock', 'batches', id] as const,
  toDo: ['user', 'admin', 'to-do'],
  failedEmails: ['user', 'admin', 'failed-emails'],
  reservedStock: ['user', 'admin', 'reserved-stock'],
  auditLogs: ['user', 'admin', 'audit-log'],
  auditLog: (about: string) => ['user', 'admin', 'audit-log', about] as const,
} as const;
