// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { testProduct } from '~/testing/product';
import { errorStatus, mockApi, renderApp } from '~/testing/render';
import { TellMe } from './tell-me';

const CALL = `POST /api/products/${testProduct._id}/notify`;
const done = 'We will write to you when it can be bought again.';
const button = () => screen.getByRole('button', { name: 'Tell me' });

it('asks a visitor for an e-mail address', async () => {
  const requests = mockApi({ 'GET /api/auth/check-auth': { authenticated: false }, [CALL]: { success: true } });
  const { user } = renderApp(<TellMe product={testProduct} />);
  await user.type(screen.getByLabelText(/E-mail/), 'asha@mirasa.example');
  await user.click(button());
  await screen.findByText(done);
  expect(screen.queryByRole('button', { name: 'Tell me' })).toBeNull();
  expect(requests.find(({ call }) => call === CALL)?.body).toEqual({ email: 'asha@mirasa.example' });
});

it('needs no address of a signed-in customer', async () => {
  mockApi({
    'GET /api/auth/check-auth': { authenticated: true },
    'GET /api/userinfo': { user: { name: 'Asha', email: 'asha@mirasa.example' } },
    [CALL]: { success: true },
  });
  const { user } = renderApp(<TellMe product={testProduct} />);
  await screen.findByText('One e-mail to asha@mirasa.example when a pack can be bought again.');
  expect(screen.queryByLabelText(/E-mail/)).toBeNull();
  await user.click(button());
  await screen.findByText(done);
});

it('shows what is wrong with the address beside it, and other errors below', async () => {
  const text = 'email must be an e-mail address';
  mockApi({
    'GET /api/auth/check-auth': { authenticated: false },
    [CALL]: errorStatus(400, 'invalid_input', text, 'email'),
  });
  const { user } = renderApp(<TellMe product={testProduct} />);
  await user.type(screen.getByLabelText(/E-mail/), 'asha@home');
  await user.click(button());
  await screen.findByText(text);
  expect(screen.getByLabelText(/E-mail/).getAttribute('aria-invalid')).toBe('true');
});
