// An overview for tests.
import type { Overview, OverviewFigures } from '~/api/types';

const figures: OverviewFigures = {
  netSales: 1234.5,
  sales: 1300,
  refunds: 65.5,
  discounts: 20,
  orders: 4,
  averageOrder: 325,
  packs50g: 5,
  packs100g: 2,
  repeatOrders: 1,
  repeatRate: 25,
  lateParcels: 1,
  returnedParcels: 0,
};

export const testOverview: Overview = {
  from: '2026-11-14',
  to: '2026-11-15',
  previousFrom: '2026-11-12',
  previousTo: '2026-11-13',
  comparedUntil: null,
  current: figures,
  previous: { ...figures, netSales: 1000, orders: 5, refunds: 0, lateParcels: 0 },
  days: [
    { day: '2026-11-14', netSales: 1000, orders: 3, packs: 5 },
    { day: '2026-11-15', netSales: 234.5, orders: 1, packs: 2 },
  ],
  previousDays: [
    { day: '2026-11-12', netSales: 400, orders: 2, packs: 3 },
    { day: '2026-11-13', netSales: 600, orders: 3, packs: 4 },
  ],
  bestProducts: [{ productId: 'goda-masala', name: 'Goda Masala', orders: 3, packs50g: 4, packs100g: 2, sales: 1100 }],
  worstProducts: [{ productId: 'rasam', name: 'Rasam Powder', orders: 0, packs50g: 0, packs100g: 0, sales: 0 }],
  categories: [{ category: 'Maharashtrian', packs: 6, sales: 1100 }],
  states: [{ state: 'Kerala', orders: 4, netSales: 1234.5 }],
  hours: [{ weekday: 7, hour: 0, orders: 4, netSales: 1234.5 }],
  previousHours: [],
  funnel: { visits: 200, products: 90, carts: 12, checkouts: 6, payments: 4 },
};

const none: OverviewFigures = {
  netSales: 0,
  sales: 0,
  refunds: 0,
  discounts: 0,
  orders: 0,
  averageOrder: 0,
  packs50g: 0,
  packs100g: 0,
  repeatOrders: 0,
  repeatRate: 0,
  lateParcels: 0,
  returnedParcels: 0,
};

export const emptyOverview: Overview = {
  ...testOverview,
  current: none,
  previous: none,
  days: testOverview.days.map(({ day }) => ({ day, netSales: 0, orders: 0, packs: 0 })),
  previousDays: testOverview.previousDays.map(({ day }) => ({ day, netSales: 0, orders: 0, packs: 0 })),
  bestProducts: [],
  categories: [],
  states: [],
  hours: [],
  funnel: { visits: 0, products: 0, carts: 0, checkouts: 0, payments: 0 },
};

/** At 3 pm of a Sunday. */
export const todayOverview: Overview = {
  ...testOverview,
  from: '2026-11-15',
  to: '2026-11-15',
  previousFrom: '2026-11-14',
  previousTo: '2026-11-14',
  comparedUntil: '2026-11-14T09:30:00.000Z',
  days: testOverview.days.slice(1),
  previousDays: testOverview.days.slice(0, 1),
  hours: [{ weekday: 7, hour: 14, orders: 1, netSales: 234.5 }],
  previousHours: [{ weekday: 6, hour: 20, orders: 3, netSales: 1000 }],
};
