// @vitest-environment happy-dom
// The buttons on the image of a card, and its marks.
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Cart, CartItem, Product } from '~/api/types';
import { Overlays } from '~/app/layout/overlays';
import { CartButton } from '~/features/cart/cart-button';
import { pendingChanges } from '~/features/cart/pending-changes';
import { closeLogin, useOverlays } from '~/shared/auth/overlay-store';
import { authStatusQuery } from '~/shared/auth/session';
import { ProductCard } from '~/shared/product/product-card';
import { testProduct } from '~/testing/product';
import { type MockRequest, mockApi, newClient, renderApp, signedIn } from '~/testing/render';
import { cardButtons } from './card-buttons';

const name = testProduct.product_name;
const cartOf = (qty_50g: number, qty_100g = 0): { cart: Cart } => {
  const item = { productId: testProduct._id, productName: name, qty_50g, qty_100g, max_50g: 3, max_100g: 3 };
  return {
    cart: {
      items: qty_50g + qty_100g > 0 ? [item as CartItem] : [],
      version: 1,
      discountCode: null,
      discountAmount: 0,
      discountNotice: null,
      totalPacks: qty_50g + qty_100g,
      totalAmount: 0,
    },
  };
};

function open(responses: Record<string, unknown>, product: Product = testProduct) {
  const requests = mockApi({
    ...signedIn,
    'GET /api/user/wishlist': { success: true, wishlist: [] },
    ...responses,
  });
  const card = <ProductCard product={product} imageIndex={0} sizes="20vw" {...cardButtons(product)} />;
  return { ...renderApp(card), requests };
}

function LoginState() {
  return <p>{useOverlays().login ? 'login is open' : 'login is closed'}</p>;
}

const plus = (grams = 50) =>
  screen.getByRole<HTMLButtonElement>('button', { name: `Add one ${grams} g pack of ${name} to the cart` });
const minus = () => screen.queryByRole('button', { name: `Take one 50 g pack of ${name} out of the cart` });
const count = () => screen.queryByRole('status')?.textContent;

beforeEach(() => pendingChanges.set([]));

it('counts the packs of the size that it adds, and takes them out again', async () => {
  let held = cartOf(0, 1);
  const { user, requests } = open({
    'GET /api/cart/cart': () => held,
    'POST /api/cart/add-to-cart': () => {
      held = cartOf(1, 1);
      return held;
    },
    'PUT /api/cart/update': ({ body }: MockRequest) => {
      held = cartOf((body as CartItem).qty_50g, 1);
      return held;
    },
  });
  await waitFor(() => expect(requests.map(({ call }) => call)).toContain('GET /api/cart/cart'));
  expect([minus(), count()]).toEqual([null, undefined]);
  await user.click(plus());
  await waitFor(() => expect(count()).toBe('1'));
  await user.click(plus());
  await user.click(plus());
  expect(count()).toBe('3');
  expect(plus().disabled).toBe(true);
  await user.click(minus() as HTMLElement);
  await user.click(minus() as HTMLElement);
  await user.click(minus() as HTMLElement);
  expect([minus(), count()]).toEqual([null, undefined]);
  expect(document.activeElement).toBe(plus());
});

it('adds the large pack where there is no small one, and is not there where all are sold', async () => {
  open({ 'GET /api/cart/cart': cartOf(0) }, { ...testProduct, packaging_50gms: 0 });
  plus(100);
});

it('has a heart, as on the page of the product', async () => {
  const { user } = open({
    'GET /api/cart/cart': cartOf(0),
    [`POST /api/user/wishlist/${testProduct._id}`]: { success: true, wishlist: [{ _id: testProduct._id }] },
  });
  await user.click(screen.getByRole('button', { name: `Add ${name} to wishlist` }));
  const heart = await screen.findByRole('button', { name: `Remove ${name} from wishlist` });
  expect(heart.getAttribute('aria-pressed')).toBe('true');
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Added to wishlist'));
});

it('the heart of a visitor leads to the sign-in, as on the page of the product', async () => {
  mockApi({ 'GET /api/auth/check-auth': { authenticated: false } });
  const client = newClient();
  client.setQueryData(authStatusQuery.queryKey, { authenticated: false });
  const { wishlistButton } = cardButtons(testProduct);
  const { user } = renderApp(
    <>
      {wishlistButton}
      <LoginState />
    </>,
    '/',
    client,
  );
  await user.click(screen.getByRole('button', { name: `Add ${name} to wishlist` }));
  screen.getByText('login is open');
});

it('says the prices of both sizes below the first one, if both are sold', () => {
  open({}, { ...testProduct, mrp: [75, 142.5] });
  screen.getByText('₹75 · 50 g');
  screen.getByText('₹142.50 · 100 g');
});

it('says one price where one size is sold', () => {
  open({}, { ...testProduct, mrp: [75, 0] });
  screen.getByText('₹75');
  expect(screen.queryByText(/·/)).toBeNull();
});

it('shows diet and heat', () => {
  open({}, { ...testProduct, diet: 'veg', heat: 'hot' });
  screen.getByRole('img', { name: 'Heat: hot' });
  screen.getByRole('img', { name: 'Vegetarian' });
});

const withHeader = (authenticated: boolean) => {
  const client = newClient();
  client.setQueryData(authStatusQuery.queryKey, { authenticated });
  const page = (
    <>
      <CartButton />
      <ProductCard product={testProduct} imageIndex={0} sizes="20vw" {...cardButtons(testProduct)} />
      <Overlays />
    </>
  );
  return renderApp(page, '/sub-products', client);
};

it('signed out, the plus asks to log in', async () => {
  mockApi({ 'GET /api/auth/check-auth': { authenticated: false } });
  const { user } = withHeader(false);
  await user.click(plus());
  expect(screen.getByTestId('toasts').textContent).toBe('Please login to add items to cart');
  await screen.findByRole('dialog', { name: 'Welcome Back!' });
  closeLogin();
});

it('signed in, the plus says that one was added, and the cart in the header counts it', async () => {
  let packs = 0;
  mockApi({
    ...signedIn,
    'GET /api/user/wishlist': { success: true, wishlist: [] },
    'GET /api/cart/cart': () => cartOf(packs),
    'POST /api/cart/add-to-cart': () => cartOf(++packs),
    'PUT /api/cart/update': ({ body }: MockRequest) => {
      packs = (body as CartItem).qty_50g;
      return cartOf(packs);
    },
  });
  const { user } = withHeader(true);
  await user.click(plus());
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Item added to cart successfully'));
  await screen.findByRole('button', { name: 'Cart, 1 pack' });
  await user.click(plus());
  await screen.findByRole('button', { name: 'Cart, 2 packs' });
});
