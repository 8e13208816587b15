// A discount code for tests.
import type { Discount } from '~/api/types';

export const testDiscount: Discount = {
  _id: 'd1',
  code: 'DIWALI20',
  kind: 'percent',
  value: 20,
  maxUses: 500,
  oncePerCustomer: true,
  firstOrderOnly: false,
  minTotal: 499.5,
  categories: ['Beverages'],
  products: ['goda-masala', 'rasam-powder'],
  from: '2026-11-01T18:30',
  to: '2026-11-25T23:59',
  active: true,
  createdAt: '2026-11-01T06:35:00Z',
  updatedAt: '2026-11-01T06:35:00Z',
  uses: 42,
  held: 2,
  turnover: 12450.5,
  cost: 3112.65,
};
