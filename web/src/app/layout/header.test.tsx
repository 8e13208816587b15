// @vitest-environment happy-dom
// What the header has on the checkout and elsewhere. Its menu and its search are in web/e2e.
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useOverlays } from '~/shared/auth/overlay-store';
import { mockApi, renderApp } from '~/testing/render';
import { Header } from './header';

function CartState() {
  return <p>{useOverlays().cart ? 'cart is open' : 'cart is closed'}</p>;
}

function open(url: string) {
  mockApi({ 'GET /api/auth/check-auth': { authenticated: false } });
  const view = renderApp(
    <>
      <Header />
      <CartState />
    </>,
    url,
  );
  return { ...view, header: within(screen.getByRole('banner')) };
}

it('on the checkout there are the brand, the way back to the cart and help, and nothing else', async () => {
  const { header, user } = open('/checkout');
  const names = (role: string) => header.getAllByRole(role).map(({ textContent }) => textContent);
  expect(names('link')).toEqual(['Mirasa: Home', 'Help and contact']);
  expect(header.getByRole('link', { name: /^Help/ }).getAttribute('href')).toBe('/contact-us');
  expect(names('button')).toHaveLength(1);
  expect(header.queryByRole('combobox')).toBeNull();
  await user.click(header.getByRole('button', { name: /Back to the cart/ }));
  screen.getByText('cart is open');
});

it('elsewhere it has the links, the search and the cart, and says that delivery is free', () => {
  const { header } = open('/about-us');
  header.getByText('Free delivery');
  expect(header.getAllByRole('link', { name: 'Products' }).length).toBeGreaterThan(0);
  header.getByRole('button', { name: 'Cart' });
});
