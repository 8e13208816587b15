// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Order, StaffOrder } from '~/api/types';
import { testCustomer, testCustomerDetails } from '~/testing/customer';
import { testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { OrdersSection } from '../list/orders-section';

const PATH = `/api/admin/orders/${testOrder._id}`;
const PAGE = `/admins?section=orders&order=${testOrder._id}`;
const note = { _id: 'n1', text: 'She called.\nSend it on Monday.', by: 'owner@example.in', at: '2026-11-14T08:00:00Z' };
const events: Order['events'] = [
  { _id: 'e1', kind: 'placed', text: 'Order placed', by: 'customer', at: '2026-11-14T06:35:00Z', status: null },
  { _id: 'e2', kind: 'paid', text: 'Payment received', by: 'shop', at: '2026-11-14T09:00:00Z', status: null },
];

function open(order: Partial<Order> = {}, responses: Record<string, unknown> = {}) {
  const found: StaffOrder = { order: { ...testOrder, events, ...order }, notes: [note], customer: testCustomer };
  const requests = mockApi({
    ...signedIn,
    [`GET ${PATH}`]: found,
    'GET /api/admin/customers/u1': testCustomerDetails,
    ...responses,
  });
  return { ...renderApp(<OrdersSection />, PAGE), requests };
}

const part = (name: string) => within(screen.getByRole('region', { name }));

it('has an address of its own, with all details, the notes and the customer', async () => {
  open();
  await screen.findByRole('heading', { level: 1, name: 'Order 0A1B2C3D' });
  await screen.findByText(/Goda Masala \(50 g\) × 2/);
  screen.getByText(/12 Laxmi Road/);
  const entries = within(part('History').getByRole('list')).getAllByRole('listitem');
  expect(entries.map((entry) => entry.textContent)).toEqual([
    'Payment receivedSat 14 Nov 2026, 2:30 pm IST · The shop',
    'Note: She called.\nSend it on Monday.Sat 14 Nov 2026, 1:30 pm IST · owner@example.in',
    'Order placedSat 14 Nov 2026, 12:05 pm IST · Customer',
  ]);
  const customer = part('Customer').getByRole('link', { name: 'Asha Kulkarni' });
  expect(customer.getAttribute('href')).toBe('/admins?section=customers&customer=u1');
  part('Customer').getByText('2 orders, ₹590.50 spent');
  await screen.findByRole('region', { name: 'Other orders' });
  part('Other orders').getByRole('link', { name: 'BBBB0002' });
  part('Messages').getByText('Is it hot?');
  part('Problems').getByText('The pouch was torn.');
});

it('adds a note, which is shown in the history', async () => {
  const added = { _id: 'n2', text: 'Done', by: 'owner@example.in', at: '2026-11-14T10:00:00Z' };
  const { user, requests } = open({}, { [`POST ${PATH}/notes`]: { note: added } });
  await user.click(await screen.findByRole('button', { name: 'Add the note' }));
  screen.getByText('Write something first');
  await user.type(screen.getByLabelText('Note'), ' Done ');
  await user.click(screen.getByRole('button', { name: 'Add the note' }));
  await waitFor(() => expect(part('History').getAllByRole('listitem')[0]?.textContent).toMatch('Note: Done'));
  expect(requests.find(({ call }) => call.startsWith('POST'))?.body).toEqual({ text: 'Done' });
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('');
});

it('keeps a note that could not be added', async () => {
  const { user } = open({}, { [`POST ${PATH}/notes`]: errorStatus(500, 'internal', '') });
  await user.type(await screen.findByLabelText('Note'), 'Hello');
  await user.click(screen.getByRole('button', { name: 'Add the note' }));
  await screen.findByText('Failed to add the note');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('Hello');
});

it('corrects the delivery address with the version that is shown', async () => {
  const { user, requests } = open({}, { [`PUT ${PATH}/address`]: { order: testOrder } });
  await user.click(await screen.findByRole('button', { name: 'Correct the address' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Correct the address' }));
  await user.clear(dialog.getByLabelText(/Pincode/));
  await user.click(dialog.getByRole('button', { name: 'Save the address' }));
  dialog.getByText('Pincode is required');
  await user.type(dialog.getByLabelText(/Pincode/), '411001');
  await user.click(dialog.getByRole('button', { name: 'Save the address' }));
  await screen.findByText('Delivery address corrected');
  expect(requests.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({
    ...testOrder.deliveryAddress,
    phone: '+91 98765 43210',
    pincode: '411001',
    version: 3,
  });
  expect(screen.queryByRole('dialog', { name: 'Correct the address' })).toBeNull();
});

it('says why an address could not be corrected, and keeps what was typed', async () => {
  const text = 'Order 0A1B2C3D is packed, so its address cannot be corrected any more.';
  const { user } = open({}, { [`PUT ${PATH}/address`]: errorStatus(409, 'conflict', text) });
  await user.click(await screen.findByRole('button', { name: 'Correct the address' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Correct the address' }));
  await user.type(dialog.getByLabelText(/City/), ' City');
  await user.click(dialog.getByRole('button', { name: 'Save the address' }));
  await dialog.findByText(text);
  expect(dialog.getByLabelText<HTMLInputElement>(/City/).value).toBe('Pune City');
});

it.each([
  { packedAt: '2026-11-14T07:00:00Z' },
  { orderStatus: 'shipped' as const },
  { paymentStatus: 'pending' as const },
  { deletedAt: '2026-11-14T07:00:00Z' },
])('offers no correction for %o', async (more) => {
  open(more);
  await screen.findByText(/12 Laxmi Road/);
  expect(screen.queryByRole('button', { name: 'Correct the address' })).toBeNull();
});

it('says that an order does not exist', async () => {
  open({}, { [`GET ${PATH}`]: errorStatus(404, 'order_not_found', 'Order not found.') });
  await screen.findByText('Order not found.');
  expect(screen.getByRole('link', { name: 'All orders' }).getAttribute('href')).toBe('/admins?section=orders');
});

it('says that the account was deleted', async () => {
  const found: StaffOrder = {
    order: testOrder,
    notes: [],
    customer: { ...testCustomer, name: '', email: '', phone: null, deletedAt: '2026-11-15T06:35:00Z' },
  };
  open({}, { [`GET ${PATH}`]: found });
  await screen.findByText('The account was deleted.');
});
