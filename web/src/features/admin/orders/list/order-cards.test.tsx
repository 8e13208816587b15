// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Order, OrderShipment } from '~/api/types';
import { testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { OrderCards } from './order-cards';

const shipment = (status: OrderShipment['status']): OrderShipment => ({
  courier: 'Delhivery',
  trackingNumber: '1',
  trackingUrl: '',
  status,
  expectedBy: null,
  events: [],
});

function open(order: Order, responses: Record<string, unknown> = {}, shown: string[] = []) {
  const requests = mockApi({ ...signedIn, ...responses });
  const none = () => undefined;
  const view = renderApp(
    <OrderCards orders={[order]} shown={shown} selected={[]} onToggle={none} onSelect={none} onDelete={none} />,
  );
  return { ...view, requests };
}

it('the main step of an order with a lost parcel is to send it again, not to mark it as delivered', () => {
  open({ ...testOrder, orderStatus: 'shipped', shipment: shipment('lost') });
  screen.getByRole('button', { name: 'Send again' });
  screen.getByRole('button', { name: 'Refund' });
  expect(screen.queryByRole('button', { name: 'Mark as delivered' })).toBeNull();
});

it('a parcel under way is marked as delivered', () => {
  open({ ...testOrder, orderStatus: 'shipped', shipment: shipment('in_transit') });
  screen.getByRole('button', { name: 'Mark as delivered' });
});

const asked: Order = {
  ...testOrder,
  packedAt: '2026-11-14T07:00:00Z',
  needsCancellationRequest: true,
  cancellation: {
    requestedAt: '2026-11-14T08:00:00Z',
    dueAt: '2026-11-15T08:00:00Z',
    overdue: true,
    decision: null,
    decidedAt: null,
    decidedBy: null,
    message: '',
  },
};
const decide = `PUT /api/admin/orders/${testOrder._id}/cancellation`;

it('the main step of an order that its customer asks to cancel is the answer', async () => {
  const { user, requests } = open(asked, { [decide]: { order: asked } });
  screen.getByText('Cancellation overdue');
  expect(screen.queryByRole('button', { name: /mark as shipped/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: /^Accept the cancellation/ }));
  const dialog = within(screen.getByRole('dialog', { name: 'Cancel the order?' }));
  dialog.getByText(/₹310.50 goes back to the customer/);
  await user.click(dialog.getByRole('checkbox', { name: /back into stock/ }));
  await user.click(dialog.getByRole('button', { name: 'Cancel the order' }));
  await vi.waitFor(() => expect(requests.some(({ call }) => call === decide)).toBe(true));
  expect(requests.find(({ call }) => call === decide)?.body).toEqual({ accept: true, restock: false, message: '' });
});

it('a cancellation is declined with words, and another answer meanwhile is shown', async () => {
  const text = 'The request was accepted on 14 Nov 2026.';
  const { user, requests } = open(asked, { [decide]: errorStatus(409, 'cancellation_decided', text) });
  await user.click(screen.getByRole('button', { name: /^Decline the cancellation/ }));
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Decline' }));
  dialog.getByText('The customer must read why');
  expect(requests.some(({ call }) => call === decide)).toBe(false);
  await user.type(dialog.getByRole('textbox'), 'It is with the courier.');
  await user.click(dialog.getByRole('button', { name: 'Decline' }));
  await dialog.findByText(text);
});

it('a card with its details has the request once', () => {
  open(asked, { 'GET /api/admin/audit': { entries: [] } }, [asked._id]);
  expect(screen.getAllByRole('button', { name: /^Accept the cancellation/ })).toHaveLength(1);
});

it.each([
  ['no parcel', null, 'confirmed', true, null],
  ['a typed tracking number, or no scan yet', 'ready', 'confirmed', false, 'Only if you still have the parcel.'],
  ['a parcel under way', 'in_transit', 'shipped', false, 'The courier has them.'],
  ['a typed tracking number, set to shipped', 'ready', 'shipped', false, 'The courier has them.'],
  ['a parcel that came back', 'returned', 'shipped', true, null],
] as const)(
  'with %s, packs go back into stock only if they are in the shop',
  async (_, parcel, orderStatus, isTicked, hint) => {
    const { user } = open({ ...asked, orderStatus, shipment: parcel && shipment(parcel) });
    await user.click(screen.getByRole('button', { name: /^Accept the cancellation/ }));
    const dialog = within(screen.getByRole('dialog', { name: 'Cancel the order?' }));
    const box = dialog.getByRole<HTMLInputElement>('checkbox', { name: /back into stock/ });
    expect(box.checked).toBe(isTicked);
    expect(box.disabled).toBe(hint === 'The courier has them.');
    if (hint) dialog.getByText(hint);
  },
);
