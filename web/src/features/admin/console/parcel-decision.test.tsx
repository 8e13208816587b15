// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { testCustomer } from '~/testing/customer';
import { testOrder } from '~/testing/order';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import { ParcelDecision } from './parcel-decision';

const GET = `GET /api/admin/orders/${testOrder._id}`;
const found = { order: testOrder, notes: [], customer: testCustomer };

const open = (status: 'returned' | 'lost', response: unknown) => {
  mockApi({ [GET]: response });
  return renderApp(<ParcelDecision orderId={testOrder._id} orderStatus="shipped" orderVersion={3} status={status} />);
};
const dialog = () => within(screen.getByRole('dialog'));

it('names order, customer and amount before money goes back', async () => {
  const { user } = open('returned', found);
  await user.click(screen.getByRole('button', { name: 'Refund and restock' }));
  await dialog().findByText('Order 0A1B2C3D, Asha Kulkarni: ₹310.50 goes back');
});

it('names no amount where the parcel is sent again', async () => {
  const { user } = open('lost', found);
  await user.click(screen.getByRole('button', { name: 'Send again' }));
  await dialog().findByText('Order 0A1B2C3D, Asha Kulkarni');
});

it('says that the amount is not known', async () => {
  const { user } = open('returned', errorStatus(500, 'internal', ''));
  await user.click(screen.getByRole('button', { name: 'Refund only' }));
  await dialog().findByText('Failed to fetch the order');
  expect(dialog().queryByText(/goes back$/)).toBeNull();
  dialog().getByText('Order 0A1B2C3D');
});
