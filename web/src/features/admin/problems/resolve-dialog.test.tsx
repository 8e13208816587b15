// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ListedProblem, ProblemAction } from '~/api/types';
import { testOrder } from '~/testing/order';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { ResolveDialog } from './resolve-dialog';

const problem: ListedProblem = {
  _id: 'p1',
  orderId: testOrder._id,
  paidOrderId: testOrder._id,
  message: 'Torn',
  lines: [{ productId: 'goda-masala', qty_50g: 1, qty_100g: 0 }],
  images: [],
  state: 'open',
  response: '',
  createdAt: '2026-11-16T08:00:00Z',
  resolvedAt: null,
  resolvedBy: null,
  dueAt: null,
  refundId: null,
  replacementOrderId: null,
  orderNumber: '0A1B2C3D',
  customerName: 'Asha',
  customerEmail: 'asha@example.org',
  orderTotal: 310.5,
  productNames: { 'goda-masala': 'Goda Masala' },
  settled: false,
  overdue: false,
  warning: null,
};
const resolve = 'PUT /api/admin/problems/p1';

function open(more: Partial<ListedProblem>, action: ProblemAction) {
  const requests = mockApi({
    ...signedIn,
    [resolve]: { problem },
    'GET /api/admin/orders': { orders: [testOrder], total: 1, page: 1, pages: 1 },
  });
  const view = renderApp(<ResolveDialog problem={{ ...problem, ...more }} action={action} onClose={() => undefined} />);
  return { ...view, sent: () => requests.find(({ call }) => call === resolve)?.body };
}

it('packs that were replaced before are replaced again only if the admin confirms it', async () => {
  const warning = '1 of these packs was replaced by order EE12AB35 on 16 Nov 2026.';
  const { user, sent } = open({ warning }, 'replace');
  screen.getByText(`Reported before: ${warning}`);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Replace' });
  expect(button.disabled).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: /all the same/ }));
  await user.click(button);
  await vi.waitFor(() => expect(sent()).toMatchObject({ action: 'replace', evenIfRepeated: true }));
});

it('a report is declined without a confirmation', async () => {
  const { user, sent } = open({ warning: '1 of these packs was refunded on 16 Nov 2026.' }, 'decline');
  expect(screen.queryByRole('checkbox')).toBeNull();
  await user.type(screen.getByRole('textbox'), 'It was refunded.');
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  await vi.waitFor(() => expect(sent()).toMatchObject({ action: 'decline', evenIfRepeated: false }));
});

it('the refund of a replacement comes from the order that was paid', async () => {
  open({ orderId: '0199f1c4-aaaa-7bbb-8ccc-00000000ffff', orderTotal: 0 }, 'refund');
  screen.getByText('The money comes from order 0A1B2C3D, which was paid.');
  await screen.findByText('These packs: ₹65.00');
});
