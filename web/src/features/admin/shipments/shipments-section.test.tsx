// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Shipment, ShipmentPage } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { ShipmentsSection } from './shipments-section';

const parcel = (more: Partial<Shipment> = {}): Shipment => ({
  _id: 's1',
  orderId: testOrder._id,
  orderStatus: 'confirmed',
  orderVersion: 7,
  customer: 'Asha Kulkarni',
  city: 'Pune',
  pincode: '411030',
  courier: 'Xpressbees Surface',
  trackingNumber: '19041237157590',
  trackingUrl: 'https://courier.example/19041237157590',
  status: 'ready',
  step: 'track',
  error: null,
  weightGrams: 1270,
  cost: 32.9,
  returnCost: 29.6,
  expectedBy: '2026-11-20',
  pickupAt: '2026-11-18T04:30:00Z',
  pickedUpAt: null,
  endedAt: null,
  daysUnderWay: null,
  createdAt: '2026-11-17T10:00:00Z',
  hasLabel: true,
  labelPrintedAt: null,
  isCancellable: true,
  isManual: false,
  needsDecision: false,
  ...more,
});

const page = (more: Partial<ShipmentPage> = {}): ShipmentPage => ({
  shipments: [],
  total: 0,
  page: 1,
  pages: 1,
  attention: 0,
  toShip: [],
  toShipTotal: 0,
  summary: { delivered: 12, returned: 1, cost: 640.4, averageDays: 2.5 },
  hasPartner: true,
  ...more,
});

const waiting = (index: number) => ({
  orderId: `0199f1c4-aaaa-7bbb-8ccc-00000000000${index}`,
  customer: `Customer ${index}`,
  city: 'Pune',
  pincode: '411030',
  packs: 3,
  weightGrams: 320,
  refundedAmount: index === 2 ? 45.5 : 0,
  packedAt: null,
});

function open(data: unknown, url = '/admins?section=shipments') {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/shipments': data,
    'POST /api/admin/shipments': { shipments: [parcel()] },
    'POST /api/admin/shipments/s1/retry': { shipment: parcel() },
    'PUT /api/admin/orders/0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d/status': { order: testOrder },
  });
  return { ...renderApp(<ShipmentsSection />, url), requests };
}

it('ships all packed orders but those that are taken out', async () => {
  const { user, requests } = open(page({ toShip: [waiting(1), waiting(2)], toShipTotal: 2 }));
  await user.click(await screen.findByRole('checkbox', { name: /Customer 1/ }));
  screen.getByRole('checkbox', { name: /Customer 2.*Refunded ₹45\.50/ });
  expect(screen.queryByRole('checkbox', { name: /Customer 1.*Refunded/ })).toBeNull();
  await user.selectOptions(screen.getByLabelText('Courier'), 'fastest');
  await user.click(screen.getByRole('button', { name: 'Ship 1 order' }));
  await vi.waitFor(() => expect(requests.some(({ call }) => call === 'POST /api/admin/shipments')).toBe(true));
  const sent = requests.find(({ call }) => call === 'POST /api/admin/shipments');
  expect(sent?.body).toEqual({ orders: [waiting(2).orderId], rule: 'fastest' });
});

it('offers one file with the labels of the selected parcels', async () => {
  const parcels = [parcel(), parcel({ _id: 's2' }), parcel({ _id: 's3', hasLabel: false, pickupAt: null })];
  const { user } = open(page({ shipments: parcels, total: 3 }));
  await user.click(await screen.findByRole('button', { name: 'Select all with a label (2)' }));
  expect(screen.getByRole('link', { name: /^2 labels/ }).getAttribute('href')).toBe(
    '/api/admin/labels.pdf?shipments=s1,s2',
  );
  expect(screen.getByRole('link', { name: /^Manifest/ }).getAttribute('href')).toContain('s1,s2');
});

it('shows cost, weight and the expected day of a parcel', async () => {
  open(page({ shipments: [parcel()], total: 1 }));
  const item = await screen.findByRole('article', { name: 'Parcel of order 0A1B2C3D' });
  for (const text of ['₹32.90', '1.27 kg', 'Fri 20 Nov']) expect(within(item).getByText(text)).toBeTruthy();
  expect(screen.getByLabelText('The last 30 days').textContent).toContain('2.5 days');
});

it('says why a step failed, and repeats it', async () => {
  const failed = parcel({ status: 'preparing', step: 'assign', error: 'Please recharge your wallet', hasLabel: false });
  const { user, requests } = open(page({ shipments: [failed], total: 1, attention: 1 }));
  await screen.findByText('Ordering the courier: Please recharge your wallet');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(requests.map(({ call }) => call)).toContain('POST /api/admin/shipments/s1/retry'));
});

it('asks before it refunds a parcel that came back', async () => {
  const returned = parcel({
    status: 'returned',
    orderStatus: 'shipped',
    step: 'done',
    needsDecision: true,
    isCancellable: false,
    hasLabel: false,
  });
  const { user, requests } = open(page({ shipments: [returned], total: 1 }));
  await user.click(await screen.findByRole('button', { name: 'Refund and restock' }));
  const dialog = screen.getByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Refund and restock' }));
  await vi.waitFor(() => expect(requests.some(({ call }) => call.startsWith('PUT '))).toBe(true));
  const sent = requests.find(({ call }) => call.startsWith('PUT '));
  expect(sent?.body).toEqual({
    orderStatus: 'cancelled',
    refund: true,
    restock: true,
    seenStatus: 'shipped',
    version: 7,
  });
});

it('says that there is no partner, and shows errors', async () => {
  open(page({ hasPartner: false }));
  await screen.findByText('Delivery Partner Not Integrated.');
  expect(screen.queryByLabelText('The last 30 days')).toBeNull();
});

it('shows why the list failed', async () => {
  open(errorStatus(500, 'internal', 'The database is away'));
  await screen.findByText('The database is away');
});

it('sends a lost parcel again, or refunds it', async () => {
  const lost = parcel({ status: 'lost', step: 'done', needsDecision: true, isCancellable: false, hasLabel: false });
  const { user, requests } = open(page({ shipments: [lost], total: 1 }));
  await screen.findByText('The parcel is lost. What now?');
  expect(screen.queryByRole('button', { name: 'Refund and restock' })).toBeNull();
  screen.getByRole('button', { name: 'Refund' });
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  const dialog = screen.getByRole('dialog', { name: 'Send it again?' });
  within(dialog).getByText(/takes its packs from stock/);
  await user.click(within(dialog).getByRole('button', { name: 'Send again' }));
  await vi.waitFor(() => expect(requests.some(({ call }) => call === 'POST /api/admin/shipments')).toBe(true));
  expect(requests.find(({ call }) => call === 'POST /api/admin/shipments')?.body).toEqual({ orders: [testOrder._id] });
});

it('names the parcels whose label has gone since they were selected', async () => {
  const data = { ...page({ shipments: [parcel(), parcel({ _id: 's2' })], total: 2 }) };
  const { user, client } = open(() => data);
  await user.click(await screen.findByRole('button', { name: 'Select all with a label (2)' }));
  data.shipments = [parcel(), parcel({ _id: 's2', hasLabel: false, status: 'delivered', step: 'done' })];
  await client.invalidateQueries();
  await screen.findByText(/^Not in the file, because its label is not there: order 0A1B2C3D$/);
  expect(screen.getByRole('link', { name: /^1 label/ })).toBeTruthy();
});
