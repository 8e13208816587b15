// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Cart } from '~/api/types';
import { renderApp } from '~/testing/render';
import { PayBar } from './order-summary';

const cart = { items: [], totalAmount: 65, discountAmount: 0, discountNotice: null } as unknown as Cart;

it('an address that the courier does not serve cannot be paid for', () => {
  renderApp(<PayBar cart={cart} unservedPincode="744101" busy={false} onPay={() => undefined} />);
  screen.getByText('Our courier does not deliver to 744101 yet. Choose another address to continue.');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /Continue to Payment/ }).disabled).toBe(true);
});
