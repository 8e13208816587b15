// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { OrderToPackAndShip, WaitingOrders } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { PackAndShipSection } from './pack-and-ship-section';

const LIST = 'GET /api/admin/pack-and-ship';
const PRESS = 'POST /api/admin/pack-and-ship';
const COSTS = 'GET /api/admin/pack-and-ship/costs';
const BUTTON = 'Pack, ship and print';

const id = (number: number) => `0199f1c4-aaaa-7bbb-8ccc-0000000000${String(number).padStart(2, '0')}`;
const short = (number: number) => id(number).slice(-8);

const row = (number: number, more: Partial<OrderToPackAndShip> = {}): OrderToPackAndShip => ({
  order: { ...testOrder, _id: id(number), version: number, orderStatus: 'confirmed' },
  stage: 'pack',
  items: [
    {
      productId: 'goda-masala',
      productName: 'Goda Masala',
      grams: 50,
      quantity: 2,
      batch: 'GM-7',
      bestBefore: '2027-02-28',
    },
    { productId: 'chai-masala', productName: 'Chai Masala', grams: 100, quantity: 1, batch: null, bestBefore: null },
  ],
  weightGrams: 270,
  problem: null,
  shipmentId: null,
  error: null,
  courier: '',
  cost: null,
  ...more,
});

const listed = (orders: OrderToPackAndShip[], more: Partial<WaitingOrders> = {}): WaitingOrders => ({
  orders,
  total: orders.length,
  hasPartner: true,
  ...more,
});

const costOf = ({ call }: MockRequest) => ({
  costs: (new URL(call.slice(4), 'http://shop').searchParams.get('orders') ?? '')
    .split(',')
    .map((orderId) => ({ orderId, courier: 'Xpressbees Surface', cost: 32.9 })),
});

function open(list: unknown, more: Record<string, unknown> = {}) {
  const requests = mockApi({ ...signedIn, [LIST]: list, [COSTS]: costOf, ...more });
  return { ...renderApp(<PackAndShipSection />, '/admins?section=pack-and-ship'), requests };
}

const article = (number: number) => within(screen.getByRole('article', { name: `Order ${short(number)}` }));
const pressed = (requests: MockRequest[]) => requests.filter(({ call }) => call === PRESS).map(({ body }) => body);

it('lists the orders with customer, packs, batch and the cost of the parcel; all are chosen', async () => {
  open(() => listed([row(1), row(2, { stage: 'ship' })]));
  screen.getByText('Loading the orders to pack...');
  await screen.findByText('2 orders');
  const first = article(1);
  first.getByText('Asha Kulkarni');
  first.getByText(/Pune 411030/);
  expect(first.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '2 ×Goda Masala 50 g · Batch GM-7, best before 28 Feb 2027',
    '1 ×Chai Masala 100 g',
  ]);
  expect((first.getByRole('checkbox') as HTMLInputElement).checked).toBe(true);
  await first.findByText('₹32.90');
  article(2).getByText('Packed');
  screen.getByText('Courier ₹65.80');
  expect(first.getByRole('link').getAttribute('href')).toContain(`orderId=${id(1)}`);
});

it('says that a cost is not known, and sends the orders all the same', async () => {
  const { user, requests } = open(listed([row(1)]), {
    [COSTS]: errorStatus(503, 'unavailable', 'The delivery partner does not respond.'),
    [PRESS]: { done: [id(1)], refused: [] },
  });
  await screen.findByText('Cost not known');
  await user.click(screen.getByRole('button', { name: BUTTON }));
  await waitFor(() => expect(pressed(requests)).toHaveLength(1));
});

it('sends what is chosen, with the versions that it showed, and offers one file', async () => {
  let rows = [row(1), row(2), row(3)];
  const { user, requests } = open(() => listed(rows), {
    [PRESS]: () => {
      rows = [1, 3].map((number) => row(number, { stage: 'print', cost: 32.9 }));
      return { done: [id(1), id(3)], refused: [] };
    },
  });
  await user.click(await screen.findByRole('checkbox', { name: `Select order ${short(2)}` }));
  await screen.findByText(/2 orders selected/);
  await user.click(screen.getByRole('button', { name: BUTTON }));
  const panel = within(await screen.findByRole('region', { name: 'Packed and shipped' }));
  panel.getByText('2 orders packed and booked');
  const file = panel.getByRole('link', { name: /^Open the file/ });
  expect(file.getAttribute('href')).toBe(`/api/admin/pack-and-ship/papers.pdf?orders=${id(1)},${id(3)}`);
  expect(document.activeElement).toBe(file);
  expect(pressed(requests)).toEqual([
    {
      orders: [id(1), id(3)],
      seen: [
        { id: id(1), version: 1 },
        { id: id(3), version: 3 },
      ],
    },
  ]);
});

it('waits for the labels; what fails is left out with its reason, and can be tried again', async () => {
  const booking = { stage: 'book', shipmentId: 's1' } as const;
  let rows = [row(1), row(2), row(3)];
  const { user, requests } = open(() => listed(rows), {
    [PRESS]: ({ body }: MockRequest) => {
      const { orders } = body as { orders: string[] };
      if (orders.length === 1) {
        rows = [row(1, { stage: 'print' }), row(2, { stage: 'print' }), row(3)];
        return { done: orders, refused: [] };
      }
      rows = [row(1, booking), row(2, booking), row(3, { problem: 'too old' })];
      const refused = [{ orderId: id(3), code: 'batch_too_old', message: 'No batch has enough.' }];
      return { done: [id(1), id(2)], refused };
    },
  });
  await screen.findByText('3 orders');
  await user.click(screen.getByRole('button', { name: BUTTON }));
  await screen.findByText('Booking 2 parcels...');
  expect(screen.queryByRole('link', { name: /^Open the file/ })).toBeNull();
  rows = [row(1, { stage: 'print' }), row(2, { ...booking, error: 'No courier serves 744101' }), row(3)];
  await screen.findByText('1 order packed and booked');
  screen.getByText('2 orders left out of the file');
  const [old, failed] = within(screen.getByRole('list', { name: 'Left out' })).getAllByRole('listitem');
  if (!old || !failed) throw new Error('two orders are left out');
  expect(old.textContent).toContain('No batch has enough.');
  expect(within(old).getByRole('link').getAttribute('href')).toBe('/admins?section=stock&show=batches');
  expect(failed.textContent).toContain('No courier serves 744101');
  article(2).getByText('Not booked');
  expect(screen.getByRole('link', { name: /^Open the file/ }).getAttribute('href')).toMatch(new RegExp(`=${id(1)}$`));

  await user.click(within(failed).getByRole('button', { name: `Try order ${short(2)} again` }));
  await screen.findByText('2 orders packed and booked');
  screen.getByText('1 order left out of the file');
  expect(pressed(requests)).toHaveLength(2);
});

it('is pressed once, however often it is clicked', async () => {
  let answer = (_: unknown) => {};
  const { user, requests } = open(listed([row(1)]), {
    [PRESS]: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  const button = await screen.findByRole('button', { name: BUTTON });
  await user.dblClick(button);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  await user.click(button);
  expect(pressed(requests)).toHaveLength(1);
  answer({ done: [id(1)], refused: [] });
  await screen.findByRole('region', { name: 'Packed and shipped' });
});

it('asks before refunded packs are sent', async () => {
  const order = { ...row(2).order, refundedAmount: 65, refundableAmount: 245.5 };
  const { user, requests } = open(listed([row(1), row(2, { order })]), { [PRESS]: { done: [], refused: [] } });
  await user.click(await screen.findByRole('button', { name: BUTTON }));
  const dialog = within(screen.getByRole('dialog'));
  dialog.getByText('Refunded ₹65.00 of ₹310.50.');
  await user.click(dialog.getByRole('button', { name: BUTTON }));
  await waitFor(() => expect(pressed(requests)).toMatchObject([{ evenIfRefunded: true }]));
});

it('shows why a press failed; nothing is lost', async () => {
  const { user } = open(listed([row(1)]), { [PRESS]: errorStatus(503, 'unavailable', 'The database is away') });
  await user.click(await screen.findByRole('button', { name: BUTTON }));
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain('The database is away'));
  expect((article(1).getByRole('checkbox') as HTMLInputElement).checked).toBe(true);
  expect(screen.queryByRole('region', { name: 'Packed and shipped' })).toBeNull();
});

it('without a partner it packs and prints', async () => {
  let rows = [row(1)];
  const { user, requests } = open(() => listed(rows, { hasPartner: false }), {
    [PRESS]: () => {
      rows = [];
      return { done: [id(1)], refused: [] };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Pack and print' }));
  await screen.findByText('1 order packed');
  screen.getByRole('link', { name: /^Open the file/ });
  screen.getByText('Nothing to pack.');
  expect(requests.some(({ call }) => call.startsWith(COSTS))).toBe(false);
});

it('takes all out, and says why one cannot be packed', async () => {
  const { user } = open(listed([row(1, { problem: 'No batch has enough.' }), row(2)]));
  await screen.findByText('No batch has enough.');
  await user.click(screen.getByRole('button', { name: 'Select none' }));
  screen.getByText('0 orders selected');
  expect((screen.getByRole('button', { name: BUTTON }) as HTMLButtonElement).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Select all' }));
  screen.getByText(/2 orders selected/);
});

it('asks for the costs of those that come into view', async () => {
  const seen: ((entries: object[]) => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: object[]) => void) {
        seen.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
  const { requests } = open(listed(Array.from({ length: 45 }, (_, at) => row(at + 1))));
  const asked = () => requests.filter(({ call }) => call.startsWith(COSTS)).length;
  await waitFor(() => expect(asked()).toBe(1));
  await waitFor(() => expect(seen).toHaveLength(2));
  seen[0]?.([{ isIntersecting: true }]);
  await waitFor(() => expect(asked()).toBe(2));
  const [, second] = requests.filter(({ call }) => call.startsWith(COSTS));
  expect(second?.call).toContain(id(21));
  expect(second?.call).not.toContain(id(41));
});

it('is empty when nothing waits', async () => {
  open(listed([]));
  await screen.findByText('Nothing to pack.');
  expect(screen.queryByRole('button', { name: BUTTON })).toBeNull();
});

it('shows why the list failed, and fetches it again', async () => {
  let list: unknown = errorStatus(500, 'internal', 'The database is away');
  const { user } = open(() => list);
  await screen.findByText('The database is away');
  list = listed([row(1)], { total: 300 });
  await user.click(screen.getByRole('button', { name: /again|retry/i }));
  await screen.findByText('300 orders, the oldest 1 are shown');
});
