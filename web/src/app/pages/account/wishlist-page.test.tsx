// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { authStatusQuery } from '~/shared/auth/session';
import { mockApi, newClient, renderApp, signedIn } from '~/testing/render';
import WishlistPage from './wishlist-page';

it('moves a product into the cart; an empty list links to the products', async () => {
  const item = {
    _id: 'goda-masala',
    product_name: 'Goda Masala',
    image: 'goda pouch.webp',
    mrp: [65, 120],
    stock: 500,
    packaging_50gms: 9,
    packaging_100gms: 9,
  };
  let wishlist = [item];
  mockApi({
    ...signedIn,
    'GET /api/user/wishlist': () => ({ success: true, wishlist }),
    'POST /api/user/wishlist/move-to-cart/goda-masala': () => {
      wishlist = [];
      return { success: true, wishlist, cart: { items: [], version: 2, totalPacks: 1, totalAmount: 65 } };
    },
  });
  const client = newClient();
  client.setQueryData(authStatusQuery.queryKey, { authenticated: true });
  const { user } = renderApp(<WishlistPage />, '/wishlist', client);
  screen.getByRole('heading', { level: 1, name: 'Your Wishlist' });
  await user.click(await screen.findByRole('button', { name: 'Move to Cart' }));
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toBe('Moved to cart'));
  await screen.findByText('Your wishlist is empty.');
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(['/sub-products']);
});
