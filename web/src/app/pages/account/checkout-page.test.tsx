// @vitest-environment happy-dom
// What the checkout page says and when. The way to the gateway and back is in web/e2e.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Address, Cart, CartItem } from '~/api/types';
import { useOverlays } from '~/shared/auth/overlay-store';
import { testOrder } from '~/testing/order';
import { errorStatus, type MockRequest, mockApi, renderApp, signedIn } from '~/testing/render';
import CheckoutPage from './checkout-page';

const home: Address = {
  _id: 'home',
  addressName: 'Home',
  name: 'Asha Kulkarni',
  phone: '+919876543210',
  addressLine1: '12 Laxmi Road',
  addressLine2: 'Sadashiv Peth',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411030',
  isDefault: true,
};
const work: Address = { ...home, _id: 'work', addressName: 'Work', isDefault: false };
const goda: CartItem = {
  productId: 'goda-masala',
  productName: 'Goda Masala',
  image: 'goda.webp',
  image_colour: '#caa',
  qty_50g: 2,
  qty_100g: 1,
  price_50g: 65,
  price_100g: 120,
  lineTotal: 250,
  max_50g: 9,
  max_100g: 9,
  notice: null,
  blocked: false,
};
const cartOf = (...items: CartItem[]): { cart: Cart } => ({
  cart: {
    items,
    version: 4,
    discountCode: null,
    discountAmount: 0,
    discountNotice: null,
    totalPacks: items.reduce((sum, item) => sum + item.qty_50g + item.qty_100g, 0),
    totalAmount: items.reduce((sum, item) => sum + item.lineTotal, 0),
  },
});
const CHECKOUT = 'POST /api/cart/checkout';
const FAILED = 'Failed to initiate payment';

function open(responses: Record<string, unknown> = {}) {
  const requests = mockApi({
    ...signedIn,
    'GET /api/cart/cart': cartOf(goda),
    'GET /api/addresses': { addresses: [work, home] },
    ...responses,
  });
  const sent = () => requests.filter(({ call }) => call === CHECKOUT);
  return { ...renderApp(<CheckoutPage />, '/checkout'), sent };
}

const pay = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Continue to Payment/ });
const radio = (name: RegExp) => screen.findByRole<HTMLInputElement>('radio', { name });
const toasts = () => screen.getByTestId('toasts').textContent;

function LoginState() {
  return <p>{useOverlays().login ? 'login is open' : 'login is closed'}</p>;
}

it('tells the day of the delivery to the chosen address', async () => {
  open({
    'GET /api/addresses': { addresses: [{ ...work, pincode: '560001' }, home] },
    'GET /api/pincode/411030': { Status: 'Success', delivery: { serviceable: true, by: '2026-11-21' } },
  });
  const summary = within(await screen.findByRole('region', { name: 'Your order' }));
  expect((await summary.findByText('Delivery by Sat 21 Nov')).nextSibling?.textContent).toBe('Free');
  await userEvent.click(await radio(/^Work/));
  await summary.findByText('Delivery within 3-5 days');
});

it('shows the saved addresses, the default chosen, and the order as it is charged', async () => {
  open();
  screen.getByRole('heading', { name: 'Delivery Address', level: 1 });
  expect((await radio(/^Home/)).checked).toBe(true);
  expect((await radio(/^Work/)).checked).toBe(false);
  const summary = within(await screen.findByRole('region', { name: 'Your order' }));
  summary.getByText('Goda Masala');
  summary.getByText('2 × 50 g @ ₹65 each');
  expect(summary.getAllByText('₹250.00').length).toBeGreaterThan(0);
});

it('shows the order that waits for its payment first', async () => {
  const pending = { ...testOrder, paymentStatus: 'pending', orderStatus: 'pending', merchantOrderId: 'M1' };
  open({ 'GET /api/user/orders': { orders: [{ ...testOrder, _id: 'paid' }, pending] } });
  const notice = within(await screen.findByRole('region', { name: 'Pending payment' }));
  notice.getByText('Order #0A1B2C3D waits for its payment: ₹310.50');
  notice.getByText(/Goda Masala[\s\S]*please do not pay again/);
  expect(notice.getByRole('link', { name: 'Check payment' }).getAttribute('href')).toBe(
    '/payment/status?merchantOrderId=M1',
  );
  const picker = await screen.findByRole('region', { name: 'Delivery address' });
  const isFirst = notice.getByText(/waits for its payment/).compareDocumentPosition(picker);
  expect(isFirst & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it.each([
  ['a paid order', { ...testOrder }],
  ['a cancelled one', { ...testOrder, paymentStatus: 'pending', orderStatus: 'cancelled' }],
])('says nothing about %s', async (_, order) => {
  open({ 'GET /api/user/orders': { orders: [order] } });
  await radio(/^Home/);
  expect(screen.queryByRole('region', { name: 'Pending payment' })).toBeNull();
});

it('is blocked while a payment is being initiated', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  let respond = (_: unknown) => {};
  const { user } = open({ [CHECKOUT]: () => new Promise((resolve) => (respond = resolve)) });
  await radio(/^Home/);
  await user.click(pay());
  await waitFor(() => expect(toasts()).toBe('Creating order and initiating payment...'));
  expect(pay().getAttribute('aria-disabled')).toBe('true');
  expect((await radio(/^Work/)).disabled).toBe(true);
  respond({ redirectUrl: '/paid-here', merchantOrderId: 'M1' });
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/paid-here'));
  expect(pay().getAttribute('aria-disabled')).toBe('true');
  assign.mockRestore();
});

it('uses one key an attempt: again after a network failure and a reload, a new one after a response and a change', async () => {
  const rejection = errorStatus(409, 'insufficient_stock', 'Not enough spice stock available');
  const results = ['broken', 'broken', rejection, 'broken', 'broken'];
  const responses = {
    [CHECKOUT]: () => {
      const result = results.shift();
      if (result === 'broken') throw new TypeError('Failed to fetch');
      return result;
    },
  };
  const keys: (string | null)[] = [];
  let page = open(responses);
  const press = async (text: string) => {
    await waitFor(() => expect(pay().disabled).toBe(false));
    const before = page.sent().length;
    await page.user.click(pay());
    await waitFor(() => expect(page.sent().length).toBe(before + 1));
    await waitFor(() => expect(toasts()).toBe(text));
    keys.push(page.sent().at(-1)?.headers.get('idempotency-key') ?? null);
  };
  await radio(/^Home/);
  await press(FAILED);
  page.unmount();
  page = open(responses);
  await radio(/^Home/);
  await press(FAILED);
  await press('Not enough spice stock available');
  await press(FAILED);
  await page.user.click(await radio(/^Work/));
  await press(FAILED);
  const [first, afterReload, third, afterResponse, otherAddress] = keys;
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(afterReload).toBe(first);
  expect(third).toBe(first);
  expect(afterResponse).not.toBe(first);
  expect(otherAddress).not.toBe(afterResponse);
});

it('a response without a redirectUrl is a failure, and can be tried again', async () => {
  const { user } = open({ [CHECKOUT]: { merchantOrderId: 'M1' } });
  await radio(/^Home/);
  await user.click(pay());
  await waitFor(() => expect(toasts()).toBe(FAILED));
  expect(pay().disabled).toBe(false);
});

it('needs an address', async () => {
  const { user, sent } = open({ 'GET /api/addresses': { addresses: [] } });
  await screen.findByRole('button', { name: 'Add your first address' });
  await user.click(pay());
  expect(toasts()).toBe('Please select a delivery address');
  expect(sent()).toEqual([]);
});

it('shows notices; an item that cannot be bought blocks the payment, with a reason', async () => {
  const notice = { ...goda, notice: 'Price changed from ₹60 to ₹65' };
  const blocked = {
    ...goda,
    productId: 'chai-masala',
    productName: 'Chai Masala',
    notice: 'No longer available',
    blocked: true,
  };
  let cart = cartOf(notice, blocked);
  const { user } = open({
    'GET /api/cart/cart': () => cart,
    'DELETE /api/cart/remove/chai-masala': () => {
      cart = { cart: { ...cartOf(notice).cart, version: 5 } };
      return cart;
    },
  });
  await radio(/^Home/);
  await screen.findByText('Price changed from ₹60 to ₹65');
  screen.getByText('No longer available');
  expect(pay().disabled).toBe(true);
  const reason = document.getElementById(pay().getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toMatch(/Chai Masala cannot be ordered as it stands/);
  await user.click(screen.getByRole('button', { name: 'Remove Chai Masala' }));
  await waitFor(() => expect(toasts()).toBe('Item removed from cart'));
  await waitFor(() => expect(pay().disabled).toBe(false));
});

it('an empty cart links to the masalas', async () => {
  open({ 'GET /api/cart/cart': cartOf() });
  await screen.findByText('Your cart is empty.');
  expect(screen.getByRole('link', { name: 'Browse masalas' }).getAttribute('href')).toBe('/sub-products');
});

it('a visitor is asked to sign in', async () => {
  mockApi({ 'GET /api/auth/check-auth': { authenticated: false } });
  const { user } = renderApp(
    <>
      <CheckoutPage />
      <LoginState />
    </>,
    '/checkout',
  );
  await user.click(await screen.findByRole('button', { name: 'Sign in to continue' }));
  screen.getByText('login is open');
});

it('an address that is added is chosen', async () => {
  let addresses: Address[] = [];
  const { user } = open({
    'GET /api/addresses': () => ({ addresses }),
    'POST /api/addresses': ({ body }: MockRequest) => {
      const address = { ...home, ...(body as Address) };
      addresses = [work, { ...address, isDefault: false }];
      return { address };
    },
    'GET /api/pincode/411030': { Status: 'Success', PostOffice: [{ District: 'Pune', State: 'Maharashtra' }] },
  });
  await user.click(await screen.findByRole('button', { name: 'Add your first address' }));
  const form = within(screen.getByRole('dialog', { name: 'Add New Address' }));
  const field = (label: string) => form.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
  await user.clear(field('Full name'));
  const typed = { 'Address name': 'Home', 'Full name': 'Asha', Phone: '9876543210', Pincode: '411030' };
  for (const [label, text] of Object.entries(typed)) await user.type(field(label), text);
  await user.type(field('Address line 1'), '12 Laxmi Road');
  await waitFor(() => expect(field('City').value).toBe('Pune'));
  await user.click(form.getByRole('button', { name: 'Add address' }));
  await waitFor(() => expect(toasts()).toContain('Address added successfully'));
  await waitFor(async () => expect((await radio(/^Home/)).checked).toBe(true));
});

it('an address that is edited is chosen; when it is deleted, the default is', async () => {
  let addresses = [home, work];
  const { user } = open({
    'GET /api/addresses': () => ({ addresses }),
    'PUT /api/addresses/work': ({ body }: MockRequest) => {
      const address = { ...work, ...(body as Address) };
      addresses = [home, address];
      return { address };
    },
    'DELETE /api/addresses/work': () => {
      addresses = [home];
      return { success: true };
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Edit Work' }));
  const form = within(screen.getByRole('dialog', { name: 'Edit Address' }));
  await user.clear(form.getByLabelText(/^Address name/));
  await user.type(form.getByLabelText(/^Address name/), 'Office');
  await user.click(form.getByRole('button', { name: 'Save address' }));
  await waitFor(() => expect(toasts()).toContain('Address updated successfully'));
  await waitFor(async () => expect((await radio(/^Office/)).checked).toBe(true));
  await user.click(screen.getByRole('button', { name: 'Delete Office' }));
  const question = screen.getByRole('dialog', { name: 'Are you sure you want to delete this address?' });
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(toasts()).toContain('Address deleted successfully'));
  await waitFor(() => expect(screen.getAllByRole('radio')).toHaveLength(1));
  expect((await radio(/^Home/)).checked).toBe(true);
});
