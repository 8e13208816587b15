// Stock, a batch and what is to do, for tests.
import type { Batch, ListedBatch, ProductStock, ToDo } from '~/api/types';

const NONE = { grams: 0, pouches50g: 0, pouches100g: 0 };

export const testStock: ProductStock = {
  productId: 'goda-masala',
  productName: 'Goda Masala',
  image: '',
  isVisible: true,
  available: { grams: 9100, pouches50g: 86, pouches100g: 78 },
  tooOldGrams: 0,
  unpaid: { grams: 200, pouches50g: 0, pouches100g: 2 },
  toPack: { grams: 700, pouches50g: 14, pouches100g: 0 },
  inShop: { grams: 10_000, pouches50g: 100, pouches100g: 80 },
  sold: { grams: 700, pouches50g: 14, pouches100g: 0 },
  daysLeft: 86,
  shortest: 'pouches50g',
  isSoldOut: false,
  isLow: false,
  batches: [],
  gramsWithoutBatch: 10_000,
};

export const quietStock: ProductStock = {
  ...testStock,
  unpaid: NONE,
  toPack: NONE,
  sold: NONE,
  daysLeft: null,
  shortest: null,
};

export const testBatch: Batch = {
  _id: 'b1',
  productId: 'goda-masala',
  productName: 'Goda Masala',
  number: 'GM-2611',
  madeOn: '2026-11-10',
  bestBefore: '2027-06-30',
  daysLeft: 225,
  canBeSent: true,
  receivedGrams: 20_000,
  leftGrams: 12_500,
  recordedBy: 'owner@it.example',
  recordedAt: '2026-11-10T06:35:00Z',
};

export const listedBatch: ListedBatch = { ...testBatch, orders: 2 };

export const nothingToDo: ToDo = {
  toPack: 0,
  toShip: 0,
  overdue: 0,
  toConfirm: 0,
  keptPayments: 0,
  problems: 0,
  cancellations: 0,
  overdueCancellations: 0,
  failedRefunds: 0,
  issues: 0,
  messages: 0,
  lowStock: 0,
  oldBatches: 0,
  failedEmails: 0,
  parcels: 0,
  unscannedParcels: 0,
  unscannedDays: 4,
  hasPartner: true,
};
