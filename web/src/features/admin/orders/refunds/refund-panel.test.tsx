// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Order } from '~/api/types';
import { testOrder, testRefund } from '~/testing/order';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { RefundPanel } from './refund-panel';

const lines = [{ productId: 'goda-masala', qty_50g: 2, qty_100g: 0, amount: 130 }];
const failed = { ...testRefund, _id: 'r2', state: 'failed' as const, amount: 130, lines };
const retry = () => screen.queryByRole('button', { name: 'Retry the refund of ₹130.00' });

function show(changes: Partial<Order>) {
  mockApi(signedIn);
  return renderApp(<RefundPanel order={{ ...testOrder, ...changes }} />);
}

it('offers to repeat a failed refund while all of it is left', () => {
  show({ refunds: [failed] });
  expect(retry()).not.toBeNull();
});

it('does not offer it where another refund covers it or a part of it', () => {
  const first = show({ refunds: [{ ...failed, supersededBy: 'r3' }] });
  expect(retry()).toBeNull();
  screen.getByText('another refund covers it');
  first.unmount();
  const part = { ...testRefund, lines: [{ productId: 'goda-masala', qty_50g: 1, qty_100g: 0, amount: 65 }] };
  const second = show({ refunds: [failed, part], refundableAmount: 245.5 });
  expect(retry()).toBeNull();
  screen.getByText('a part was refunded otherwise: refund the rest');
  second.unmount();
  show({ refunds: [failed, { ...failed, _id: 'r4', state: 'completed', retryOf: 'r2' }], refundableAmount: 180.5 });
  screen.getByText('was repeated');
});

it('says that a small rest is kept, and offers no refund of it', () => {
  show({ refunds: [{ ...testRefund, amount: 310 }], refundableAmount: 0, restKept: 0.5 });
  screen.getByText('₹0.50 is kept: the gateway refunds ₹1.00 or more.');
  expect(screen.queryByRole('button', { name: 'Refund…' })).toBeNull();
});
