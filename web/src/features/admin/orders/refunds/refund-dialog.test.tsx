// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { testOrder, testRefund } from '~/testing/order';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { RefundDialog } from './refund-dialog';

const PATH = `POST /api/admin/orders/${testOrder._id}/refunds`;

function open(response: unknown, order = testOrder) {
  const requests = mockApi({ ...signedIn, [PATH]: response });
  const onClose = vi.fn();
  const view = renderApp(<RefundDialog order={order} open onClose={onClose} />);
  return { ...view, onClose, sent: () => requests.filter(({ call }) => call === PATH) };
}

/** The order gets a new version while the dialog is open. */
function ChangingOrder() {
  const [order, setOrder] = useState(testOrder);
  return (
    <>
      <button type="button" onClick={() => setOrder({ ...order, version: order.version + 1 })}>
        Changed meanwhile
      </button>
      <RefundDialog order={order} open onClose={() => undefined} />
    </>
  );
}

const amount = () => [...document.querySelectorAll('form output')].at(-1)?.textContent;
const submit = () => screen.getByRole('button', { name: 'Refund' });

it('refunds chosen packs, with the amount as it is chosen', async () => {
  const { user, onClose, sent } = open({ refund: testRefund });
  expect(amount()).toBe('₹310.50');
  await user.click(screen.getByRole('radio', { name: 'Chosen packs' }));
  expect(amount()).toBe('₹0.00');
  await user.click(screen.getByRole('button', { name: 'More: Goda Masala, 50 g packs' }));
  await user.click(screen.getByRole('button', { name: 'More: Chai Masala, 50 g packs' }));
  expect(amount()).toBe('₹125.50');
  await user.type(screen.getByLabelText(/Reason/), 'Torn');
  await user.click(screen.getByRole('checkbox', { name: 'Put the packs back into stock' }));
  await user.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent()[0]?.body).toEqual({
    lines: [
      { productId: 'goda-masala', qty_50g: 1, qty_100g: 0 },
      { productId: 'chai-masala', qty_50g: 1, qty_100g: 0 },
    ],
    reason: 'Torn',
    restock: false,
    version: testOrder.version,
  });
  await screen.findByText('Refund of ₹65.00 requested');
});

it('a free amount has no items to restock, and a reason is required', async () => {
  const { user, sent } = open({ refund: testRefund });
  await user.click(screen.getByRole('radio', { name: 'Another amount' }));
  expect(screen.queryByRole('checkbox')).toBeNull();
  await user.type(screen.getByLabelText('Amount in rupees'), '310.51');
  await user.click(submit());
  screen.getByText('Only ₹310.50 can still be refunded');
  screen.getByText('Reason is required');
  expect(sent()).toEqual([]);
});

it('a conflict is shown plainly; the same key is sent again, and another one by the next dialog', async () => {
  const text = 'Only ₹10 can still be refunded.';
  const first = open(errorStatus(409, 'refund_exceeds_payment', text));
  await first.user.type(screen.getByLabelText(/Reason/), 'Torn');
  await first.user.click(submit());
  await screen.findByText(text);
  await first.user.click(submit());
  await waitFor(() => expect(first.sent()).toHaveLength(2));
  const keys = first.sent().map(({ headers }) => headers.get('idempotency-key'));
  expect(keys[0]).toBe(keys[1]);
  await first.user.type(screen.getByLabelText(/Reason/), ' bag');
  await first.user.click(submit());
  await waitFor(() => expect(first.sent()).toHaveLength(3));
  expect(first.sent()[2]?.headers.get('idempotency-key'), 'other content has another key').not.toBe(keys[0]);
  expect(first.onClose).not.toHaveBeenCalled();
  first.unmount();
  const second = open({ refund: testRefund });
  await second.user.type(screen.getByLabelText(/Reason/), 'Torn');
  await second.user.click(submit());
  await waitFor(() => expect(second.sent()).toHaveLength(1));
  expect(second.sent()[0]?.headers.get('idempotency-key')).not.toBe(keys[0]);
});

it('a request whose response was lost is repeated with its key, although it has changed the order', async () => {
  const requests = mockApi({ ...signedIn, [PATH]: errorStatus(502, 'unavailable', 'Bad gateway') });
  const sent = () => requests.filter(({ call }) => call === PATH);
  const { user } = renderApp(<ChangingOrder />);
  await user.type(screen.getByLabelText(/Reason/), 'Torn');
  await user.click(submit());
  await screen.findByText('Bad gateway');
  await user.click(screen.getByText('Changed meanwhile'));
  await user.click(submit());
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.body).toMatchObject({ version: testOrder.version + 1 });
  const [first, second] = sent().map(({ headers }) => headers.get('idempotency-key'));
  expect(second).toBe(first);
});

it('an order that holds no packs has none to restock', async () => {
  const items = testOrder.items.map((item) => ({ ...item, held: 0 }));
  const { user, onClose, sent } = open({ refund: testRefund }, { ...testOrder, items });
  expect(screen.queryByRole('checkbox')).toBeNull();
  screen.getByText('The order holds none of these packs: nothing goes back into stock.');
  await user.type(screen.getByLabelText(/Reason/), 'Wrong amount');
  await user.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(sent()[0]?.body).toMatchObject({ reason: 'Wrong amount', restock: false });
});

it('a rest of less than one rupee is said before it is kept', async () => {
  const { user } = open({ refund: testRefund });
  await user.click(screen.getByRole('radio', { name: 'Another amount' }));
  await user.type(screen.getByLabelText('Amount in rupees'), '310');
  screen.getByText('₹0.50 is kept: the gateway refunds ₹1.00 or more.');
});

it('packs that were replaced are refunded only if the admin confirms it', async () => {
  const text = '1 of these packs was replaced by order EE12AB35 on 16 Nov 2026.';
  const { user, sent, onClose } = open(({ body }: { body: { evenIfRepeated?: boolean } }) =>
    body.evenIfRepeated ? { refund: testRefund } : errorStatus(409, 'problem_repeated', text),
  );
  await user.type(screen.getByLabelText(/Reason/), 'Torn');
  await user.click(submit());
  await screen.findByText(`${text} The customer would have the packs and their price.`);
  expect((submit() as HTMLButtonElement).disabled).toBe(true);
  // Other packs are asked for anew.
  await user.click(screen.getByRole('radio', { name: 'Another amount' }));
  expect(screen.queryByText(text, { exact: false })).toBeNull();
  await user.click(screen.getByRole('radio', { name: 'Whole order' }));
  await user.click(submit());
  await user.click(await screen.findByRole('checkbox', { name: /all the same/ }));
  await user.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const keys = new Set(sent().map(({ headers }) => headers.get('idempotency-key')));
  expect([sent().length, keys.size]).toEqual([3, 1]);
});
