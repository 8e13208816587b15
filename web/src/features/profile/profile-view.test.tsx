// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { errorStatus, mockApi, renderApp, signedIn } from '~/testing/render';
import { ProfileView } from './profile-view';

const user = { ...signedIn['GET /api/userinfo'].user, phone: null, dateOfBirth: null, gender: null };

it("shows the server's error beside its field", async () => {
  const text = 'Not a day of the calendar';
  mockApi({
    ...signedIn,
    'GET /api/user/profile': { user },
    'PUT /api/user/profile': errorStatus(400, 'invalid_input', text, 'dateOfBirth'),
  });
  const view = renderApp(<ProfileView />);
  await view.user.click(await screen.findByRole('button', { name: 'Edit profile' }));
  await view.user.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText(text);
  const born = screen.getByLabelText('Date of birth');
  expect(born.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(born));
  expect(screen.getByTestId('toasts').textContent).toBe('Failed to update profile');
});
