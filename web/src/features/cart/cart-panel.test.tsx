// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Cart, CartItem } from '~/api/types';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import { CartButton } from './cart-button';
import CartPanel from './cart-panel';
import { pendingChanges } from './pending-changes';

const goda: CartItem = {
  productId: 'goda-masala',
  productName: 'Goda Masala',
  image: 'goda.webp',
  image_colour: '#caa',
  qty_50g: 1,
  qty_100g: 0,
  price_50g: 65,
  price_100g: 120,
  lineTotal: 65,
  max_50g: 3,
  max_100g: 5,
  notice: null,
  blocked: false,
};
const cartOf = (version: number, ...items: CartItem[]): { cart: Cart } => ({
  cart: {
    items,
    version,
    discountCode: null,
    discountAmount: 0,
    discountNotice: null,
    totalPacks: items.reduce((sum, item) => sum + item.qty_50g + item.qty_100g, 0),
    totalAmount: items.reduce((sum, item) => sum + item.lineTotal, 0),
  },
});
const open = () => renderApp(<CartPanel open onClose={() => undefined} />);
const more = (size: string) =>
  screen.getByRole<HTMLButtonElement>('button', { name: `More: Goda Masala, ${size} packs` });
const count = (size: string) =>
  within(screen.getByRole('group', { name: `Goda Masala, ${size} packs` })).getByRole('status').textContent;

beforeEach(() => pendingChanges.set([]));

it('shows a step at once, sends the new quantity, and takes total and line from the response', async () => {
  let respond = (_: unknown) => {};
  const requests = mockApi({
    ...signedIn,
    'GET /api/cart/cart': cartOf(4, goda),
    'PUT /api/cart/update': () =>
      new Promise((resolve) => {
        respond = resolve;
      }),
  });
  const { user } = open();
  await screen.findByRole('link', { name: 'Goda Masala' });
  await user.click(more('50 g'));
  expect(count('50 g')).toBe('2');
  screen.getAllByText('₹65');
  await waitFor(() => expect(requests.at(-1)?.call).toBe('PUT /api/cart/update'));
  expect(requests.at(-1)?.body).toEqual({ productId: 'goda-masala', qty_50g: 2, qty_100g: 0, version: 4 });
  respond(cartOf(5, { ...goda, qty_50g: 2, lineTotal: 130 }));
  await waitFor(() => expect(screen.getAllByText('₹130.00')).toHaveLength(2));
});

it('takes a rejected step back and shows the reason', async () => {
  const requests = mockApi({
    ...signedIn,
    'GET /api/cart/cart': cartOf(4, goda),
    'PUT /api/cart/update': errorStatus(409, 'insufficient_stock', 'Not enough spice stock available'),
  });
  const { user } = open();
  await screen.findByRole('link', { name: 'Goda Masala' });
  await user.click(more('50 g'));
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain('Not enough spice stock available'));
  await waitFor(() => expect(count('50 g')).toBe('1'));
  expect(requests.filter(({ call }) => call.startsWith('PUT'))).toHaveLength(1);
});

it('steps pressed fast that are rejected are taken back, also in the header, and said once', async () => {
  let reject = (_: unknown) => {};
  mockApi({
    ...signedIn,
    'GET /api/cart/cart': cartOf(4, { ...goda, max_50g: 9 }),
    'PUT /api/cart/update': () =>
      new Promise((resolve) => {
        reject = () => resolve(errorStatus(500, 'internal', 'Something broke'));
      }),
  });
  const { user } = renderApp(
    <>
      <CartButton />
      <CartPanel open onClose={() => undefined} />
    </>,
  );
  await screen.findByRole('link', { name: 'Goda Masala' });
  for (let clicks = 0; clicks < 4; clicks++) await user.click(more('50 g'));
  expect(count('50 g')).toBe('5');
  const toasts = () => screen.getByTestId('toasts').textContent;
  // One request is under way, and the clicks that waited for it are the next.
  await waitFor(() => {
    reject(undefined);
    expect(count('50 g')).toBe('1');
  });
  await waitFor(() => expect(toasts()).toBe('Something broke'));
  screen.getByRole('button', { name: 'Cart, 1 pack', hidden: true });
});

it('sends a step again, from the new quantity, when the cart was changed elsewhere', async () => {
  const changed = cartOf(5, { ...goda, qty_50g: 2, lineTotal: 130 });
  let carts = 0;
  const requests = mockApi({
    ...signedIn,
    'GET /api/cart/cart': () => (carts++ === 0 ? cartOf(4, goda) : changed),
    'PUT /api/cart/update': ({ body }: MockRequest) =>
      (body as { version: number }).version === 4
        ? errorStatus(409, 'cart_changed', 'Please try again.')
        : cartOf(6, { ...goda, qty_50g: 3, lineTotal: 195 }),
  });
  const { user } = open();
  await screen.findByRole('link', { name: 'Goda Masala' });
  await user.click(more('50 g'));
  await waitFor(() => expect(screen.getAllByText('₹195.00')).toHaveLength(2));
  const sent = requests.filter(({ call }) => call.startsWith('PUT'));
  expect(sent.map(({ body }) => body)).toMatchObject([
    { qty_50g: 2, version: 4 },
    { qty_50g: 3, version: 5 },
  ]);
  expect(screen.getByTestId('toasts').textContent).toBe('');
});

it('does not offer more packs than there are', async () => {
  mockApi({ ...signedIn, 'GET /api/cart/cart': cartOf(4, { ...goda, qty_50g: 3 }) });
  open();
  await screen.findByRole('link', { name: 'Goda Masala' });
  expect(more('50 g').disabled).toBe(true);
});

it('says what is left of a size', async () => {
  mockApi({ ...signedIn, 'GET /api/cart/cart': cartOf(4, { ...goda, qty_50g: 0, qty_100g: 1, max_100g: 4 }) });
  open();
  await screen.findByText('Only 4 left');
});

it('shows the sizes that are in the cart, and a button for the other one, with the focus on what takes its place', async () => {
  let held = goda;
  mockApi({
    ...signedIn,
    'GET /api/cart/cart': () => cartOf(4, held),
    'PUT /api/cart/update': ({ body }: MockRequest) => {
      const { qty_50g, qty_100g } = body as CartItem;
      held = { ...held, qty_50g, qty_100g };
      return cartOf(4, held);
    },
  });
  const { user } = open();
  const add = { name: 'Add one pack of Goda Masala: 100 g · ₹120' };
  const other = await screen.findByRole('button', add);
  expect(screen.queryByRole('group', { name: 'Goda Masala, 100 g packs' })).toBeNull();
  await user.click(other);
  expect(count('100 g')).toBe('1');
  expect(document.activeElement).toBe(more('100 g'));
  await user.click(screen.getByRole('button', { name: 'Less: Goda Masala, 100 g packs' }));
  expect(document.activeElement).toBe(screen.getByRole('button', add));
  expect(count('50 g')).toBe('1');
});

it('offers no size that is not sold or not in stock', async () => {
  mockApi({ ...signedIn, 'GET /api/cart/cart': cartOf(4, { ...goda, max_100g: 0 }) });
  open();
  await screen.findByRole('link', { name: 'Goda Masala' });
  expect(screen.queryByRole('button', { name: /100 g/ })).toBeNull();
});

it('says that delivery is free, and its day where a pincode is known', async () => {
  localStorage.setItem('pincode', '411030');
  mockApi({
    ...signedIn,
    'GET /api/cart/cart': cartOf(4, goda),
    'GET /api/pincode/411030': { Status: 'Success', delivery: { serviceable: true, by: '2026-11-21' } },
  });
  open();
  expect((await screen.findByText('Delivery by Sat 21 Nov')).parentElement?.textContent).toBe(
    'Delivery by Sat 21 NovFree',
  );
  screen.getByText('Prices include all taxes. Delivery within 3-5 days.');
});

it('shows why an item cannot be bought', async () => {
  mockApi({
    ...signedIn,
    'GET /api/cart/cart': cartOf(4, { ...goda, blocked: true, notice: 'Only 0 left', lineTotal: 0 }),
  });
  open();
  await screen.findByText('Only 0 left');
  screen.getByText('N/A');
});

it('removes an item; an empty cart cannot be checked out', async () => {
  const requests = mockApi({
    ...signedIn,
    'GET /api/cart/cart': cartOf(4, goda),
    'DELETE /api/cart/remove/goda-masala': cartOf(5),
  });
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Remove Goda Masala' }));
  await screen.findByText('Your cart is empty.');
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain('Item removed from cart'));
  expect(requests.at(-1)?.call).toBe('DELETE /api/cart/remove/goda-masala');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Checkout' }).disabled).toBe(true);
});
