// @vitest-environment happy-dom
// What the header has on the checkout and elsewhere, and the menu of a user. The menu of a phone is in web/e2e.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useOverlays } from '~/shared/auth/overlay-store';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { Header } from './header';

function CartState() {
  return <p>{useOverlays().cart ? 'cart is open' : 'cart is closed'}</p>;
}

function open(
  url: string,
  responses: Record<string, unknown> = { 'GET /api/auth/check-auth': { authenticated: false } },
) {
  mockApi(responses);
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

it('has a logo that links home, and the links Home, Products, Contact Us and About Us', async () => {
  const { header, user } = open('/about-us');
  const links = within(header.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['Home', 'Products', 'Contact Us', 'About Us']);
  const logo = header.getAllByRole('link', { name: /Home$/ })[0] as HTMLElement;
  expect(logo.textContent).toBe('Mirasa: Home');
  await user.click(logo);
  await waitFor(() => expect(window.location.pathname).toBe('/'));
});

it('a signed-in user has a menu under their first name, which a press elsewhere and each link close', async () => {
  const { header, user } = open('/', signedIn);
  const trigger = await header.findByRole('button', { name: /Asha$/ });
  const menu = () => screen.findByRole('navigation', { name: 'Your account' });
  await user.click(trigger);
  const shown = within(await menu());
  screen.getByText('Asha Kulkarni');
  screen.getByText('asha@example.com');
  for (const name of ['Profile', 'My Orders']) shown.getByRole('link', { name });
  shown.getByRole('button', { name: 'Logout' });
  await user.click(document.body);
  expect(screen.queryByRole('navigation', { name: 'Your account' })).toBeNull();
  await user.click(trigger);
  await user.click(within(await menu()).getByRole('link', { name: 'Profile' }));
  await waitFor(() => expect(window.location.pathname).toBe('/user/dashboard/profile'));
  expect(screen.queryByRole('navigation', { name: 'Your account' })).toBeNull();
});
