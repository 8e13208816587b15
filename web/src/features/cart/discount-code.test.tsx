// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Cart } from '~/api/types';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { useCart } from './cart-queries';
import { DiscountCode } from './discount-code';

const cart: Cart = {
  items: [],
  totalPacks: 2,
  totalAmount: 131,
  discountCode: null,
  discountAmount: 0,
  discountNotice: null,
  version: 4,
};
const saving: Cart = { ...cart, discountCode: 'DIWALI20', discountAmount: 26.2, totalAmount: 104.8, version: 5 };

function InCart() {
  const held = useCart();
  return (
    <>
      <p>Total {held.cart.totalAmount}</p>
      <DiscountCode cart={held.cart} />
    </>
  );
}

const open = async (responses: Record<string, unknown>) => {
  const requests = mockApi({ ...signedIn, ...responses });
  const view = renderApp(<InCart />);
  return { ...view, requests };
};

it('applies a code, shows the saving, and removes it', async () => {
  const { user, requests } = await open({
    'GET /api/cart/cart': { cart },
    'PUT /api/cart/discount': { cart: saving },
    'DELETE /api/cart/discount': { cart: { ...cart, version: 6 } },
  });
  await screen.findByText('Total 131');
  await user.click(screen.getByRole('button', { name: 'Have a discount code?' }));
  await user.type(screen.getByLabelText('Discount code'), ' diwali20{Enter}');
  await screen.findByText('You save ₹26.20.');
  screen.getByText('Total 104.8');
  expect(requests.find(({ call }) => call === 'PUT /api/cart/discount')?.body).toEqual({ code: 'DIWALI20' });
  await user.click(screen.getByRole('button', { name: /^Remove/ }));
  await screen.findByText('Total 131');
  screen.getByRole('button', { name: 'Have a discount code?' });
});

it('says why a code is rejected, until another one is typed', async () => {
  const reason = 'You have already used this code.';
  const { user } = await open({
    'GET /api/cart/cart': { cart },
    'PUT /api/cart/discount': errorStatus(409, 'discount_not_applicable', reason, 'code'),
  });
  await screen.findByText('Total 131');
  await user.click(screen.getByRole('button', { name: 'Have a discount code?' }));
  const field = screen.getByLabelText('Discount code');
  expect(document.activeElement).toBe(field);
  await user.type(field, 'ONCE{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe(reason);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await user.type(field, 'X');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows why a code in the cart does not apply', async () => {
  const notice = 'This code needs an order of ₹500 or more. Add items for ₹369.';
  await open({ 'GET /api/cart/cart': { cart: { ...cart, discountCode: 'FROM500', discountNotice: notice } } });
  await screen.findByText(notice);
  screen.getByText('FROM500');
  expect(screen.queryByText(/You save/)).toBeNull();
});
