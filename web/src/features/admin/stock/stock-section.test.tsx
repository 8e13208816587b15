// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { listedBatch, quietStock, testBatch, testStock } from '~/testing/stock';
import { checkMovement, newDraft } from './movement-draft';
import { StockSection } from './stock-section';

const PATH = 'POST /api/admin/stock/goda-masala/movements';
const open = (url = '/admins?section=stock') => renderApp(<StockSection />, url);
const stock = (...products: object[]) => ({ 'GET /api/admin/stock': { products, lowDays: 7 } });
const sent = (requests: MockRequest[], call: string) => requests.filter((request) => request.call === call);

it('a shop without batches does not see that there are any', async () => {
  mockApi({ ...signedIn, ...stock(testStock), 'GET /api/admin/batches': { batches: [] } });
  open();
  await screen.findByText('700 g to pack');
  expect(screen.queryByLabelText('Batches')).toBeNull();
  expect(screen.getByText('200 g unpaid')).toBeDefined();
});

it('counts, and compares again when orders were packed meanwhile', async () => {
  let inShop = testStock.inShop;
  let refusals = 1;
  const requests = mockApi({
    ...signedIn,
    'GET /api/admin/stock': () => ({ products: [{ ...testStock, inShop }], lowDays: 7 }),
    'GET /api/admin/batches': { batches: [] },
    [PATH]: () => {
      if (refusals-- > 0) {
        inShop = { grams: 9_900, pouches50g: 98, pouches100g: 80 };
        return errorStatus(409, 'stock_changed', 'Orders were packed since you began to count.');
      }
      return { product: testStock };
    },
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Count Goda Masala' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Count: Goda Masala' }));
  dialog.getByText('10,000 expected');
  await user.type(dialog.getByLabelText('Grams of spice'), '9850');
  dialog.getByText(/−150 g/);
  await user.click(dialog.getByRole('button', { name: 'Save count' }));
  dialog.getByText('Say why the count differs');
  await user.type(dialog.getByLabelText('Reason'), 'Spilled');
  await user.click(dialog.getByRole('button', { name: 'Save count' }));
  await dialog.findByText('Orders were packed since you began to count.');
  await dialog.findByText('9,900 expected');
  dialog.getByText(/−50 g/);
  await user.click(dialog.getByRole('button', { name: 'Save count' }));
  await screen.findByText('Count saved');
  const [first, second] = sent(requests, PATH);
  expect(first?.body).toEqual({
    kind: 'count',
    grams: 9850,
    pouches50g: 100,
    pouches100g: 80,
    seen: { grams: 10_000, pouches50g: 100, pouches100g: 80 },
    note: 'Spilled',
  });
  expect(second?.body).toMatchObject({ grams: 9850, pouches50g: 98, seen: inShop });
});

it('receives a batch', async () => {
  const requests = mockApi({
    ...signedIn,
    ...stock(testStock),
    'GET /api/admin/batches': { batches: [] },
    'POST /api/admin/batches': { batch: listedBatch },
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Receive Goda Masala' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Receive: Goda Masala' }));
  expect(dialog.queryByLabelText(/^Batch number/)).toBeNull();
  await user.click(dialog.getByLabelText('It is a batch with a number'));
  await user.click(dialog.getByRole('button', { name: 'Record batch' }));
  dialog.getByText('Enter the number on the pouches');
  await user.type(dialog.getByLabelText('Grams of spice'), '20,000');
  await user.type(dialog.getByLabelText(/^Batch number/), 'GM-2611');
  await user.type(dialog.getByLabelText(/^Best before/), '2027-06-30');
  await user.click(dialog.getByRole('button', { name: 'Record batch' }));
  await screen.findByText('Batch GM-2611 recorded');
  const [request] = sent(requests, 'POST /api/admin/batches');
  expect(request?.body).toEqual({
    productId: 'goda-masala',
    number: 'GM-2611',
    madeOn: '',
    bestBefore: '2027-06-30',
    grams: 20_000,
    pouches50g: 0,
    pouches100g: 0,
    inStock: false,
    note: '',
  });
  expect(request?.headers.get('idempotency-key')).toBeTruthy();
});

it('says what is too old to be sold, in the list and when it is received', async () => {
  mockApi({
    ...signedIn,
    ...stock({ ...testStock, tooOldGrams: 1_500 }),
    'GET /api/admin/batches': { batches: [] },
  });
  const { user } = open();
  await screen.findByText('1.50 kg too old to sell');
  await user.click(await screen.findByRole('button', { name: 'Receive Goda Masala' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Receive: Goda Masala' }));
  await user.click(dialog.getByLabelText('It is a batch with a number'));
  const bestBefore = dialog.getByLabelText(/^Best before/);
  await user.type(bestBefore, '2020-01-31');
  dialog.getByText('It has less than 45 days left, so it cannot be sold.');
  await user.clear(bestBefore);
  expect(dialog.queryByText(/so it cannot be sold/)).toBeNull();
  await user.type(bestBefore, '2090-01-31');
  expect(dialog.queryByText(/so it cannot be sold/)).toBeNull();
});

it('writes off the batch that ends first, and shows who got one', async () => {
  const recipient = {
    orderId: '0199f1c4-aaaa-7bbb-8ccc-12340a1b2c3d',
    orderStatus: 'delivered',
    packedAt: '2026-11-12T06:35:00Z',
    qty_50g: 2,
    qty_100g: 1,
    name: 'Asha Kulkarni',
    phone: '9876543210',
    email: 'asha@example.com',
    address: '12 Laxmi Road',
    city: 'Pune',
    state: 'Maharashtra',
    pincode: '411030',
  };
  const requests = mockApi({
    ...signedIn,
    ...stock({ ...testStock, batches: [testBatch], gramsWithoutBatch: 0 }),
    'GET /api/admin/batches': { batches: [listedBatch] },
    'GET /api/admin/batches/b1/recipients': { batch: testBatch, recipients: [recipient] },
    [PATH]: { product: testStock },
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Write off Goda Masala' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Write off: Goda Masala' }));
  await user.type(dialog.getByLabelText('Grams of spice'), '500');
  await user.type(dialog.getByLabelText(/^Reason/), 'Past its date');
  await user.click(dialog.getByRole('button', { name: 'Write off' }));
  await screen.findByText('Written off');
  expect(sent(requests, PATH)[0]?.body).toMatchObject({ kind: 'writeOff', grams: 500, batchId: 'b1' });

  await user.click(screen.getByLabelText('Batches'));
  await user.click(await screen.findByRole('button', { name: 'Who got it (2 orders) GM-2611' }));
  const who = within(await screen.findByRole('dialog', { name: 'Who got batch GM-2611' }));
  await who.findByText('Asha Kulkarni');
  who.getByText(/2 × 50 g, 1 × 100 g/);
  expect(who.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
    '/api/admin/batches/b1/recipients.csv',
  );
});

it('the ledger of a product is in the URL', async () => {
  mockApi({
    ...signedIn,
    ...stock(quietStock),
    'GET /api/admin/batches': { batches: [] },
    'GET /api/admin/stock/goda-masala/movements': {
      movements: [
        {
          _id: 'm1',
          reason: 'write off',
          orderId: null,
          change: { grams: -250, pouches50g: 0, pouches100g: 0 },
          note: 'Spilled',
          by: 'owner@it.example',
          batch: null,
          at: '2026-11-14T06:35:00Z',
        },
      ],
      total: 1,
      page: 1,
      pages: 1,
    },
  });
  open('/admins?section=stock&product=goda-masala');
  const sheet = within(await screen.findByRole('dialog', { name: 'Goda Masala' }));
  await sheet.findByText('−250 g');
  sheet.getByText('Spilled');
  await waitFor(() => sheet.getByText(/owner@it.example/));
});

it('a draft needs an amount and a reason', () => {
  const draft = newDraft('writeOff', testStock);
  expect(checkMovement('writeOff', draft, testStock.inShop)).toEqual({
    grams: 'Enter how much it is',
    note: 'Say why it is written off',
  });
  expect(checkMovement('receive', { ...draft, grams: '1.5' }, testStock.inShop)).toEqual({
    grams: 'Enter a whole number',
  });
  const same = { ...draft, grams: '10000' };
  expect(checkMovement('count', same, testStock.inShop)).toEqual({});
  const dates = { ...draft, grams: '5', isBatch: true, number: 'A', madeOn: '2027-01-02', bestBefore: '2027-01-02' };
  expect(checkMovement('receive', dates, testStock.inShop)).toEqual({
    bestBefore: 'Earlier than the day it was made',
  });
});
