// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Address, User } from '~/api/types';
import { authStatusQuery, currentUserQuery } from '~/shared/auth/session';
import { errorStatus, mockApi, newClient, renderApp, Status, signedIn } from '~/testing/render';
import { AddressDialog } from './address-form';

const home: Address = {
  _id: 'a1',
  addressName: 'Home',
  name: 'Asha Kulkarni',
  phone: '+919876543210',
  addressLine1: '12 Laxmi Road',
  addressLine2: '',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411030',
  isDefault: false,
};
const pune = { Status: 'Success', PostOffice: [{ District: 'Pune', State: 'Maharashtra' }] };

function open(responses: Record<string, unknown> = {}, address?: Address) {
  const requests = mockApi({
    ...signedIn,
    'GET /api/addresses': { addresses: [] },
    'GET /api/pincode/411030': pune,
    ...responses,
  });
  const onSaved = vi.fn();
  const view = renderApp(<AddressDialog open address={address} onClose={() => undefined} onSaved={onSaved} />);
  return { ...view, requests, onSaved };
}

const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const save = () => screen.getByRole('button', { name: /^(Add|Save) address$/ });

it('names every missing field and moves the focus to the first', async () => {
  const { user, requests } = open();
  await user.click(save());
  for (const label of ['Address name', 'Full name', 'Phone', 'Pincode', 'Address line 1', 'City', 'State']) {
    screen.getByText(`${label} is required`);
  }
  expect(document.activeElement).toBe(field(/^Address name/));
  expect(requests.filter(({ call }) => call.startsWith('POST'))).toEqual([]);
  await user.type(field(/^Address name/), 'Home');
  expect(screen.queryByText('Address name is required')).toBeNull();
});

it('fills in city and state from the pincode and saves the address', async () => {
  const { user, requests, onSaved } = open({ 'POST /api/addresses': new Status(201, { address: home }) });
  await user.type(field(/^Address name/), 'Home');
  await user.type(field(/^Full name/), 'Asha Kulkarni');
  await user.type(field(/^Phone/), '98765 43210');
  await user.type(field(/^Pincode/), '411030');
  await waitFor(() => expect(field(/^City/).value).toBe('Pune'));
  expect(field(/^State/).value).toBe('Maharashtra');
  await user.type(field(/^Address line 1/), '12 Laxmi Road');
  await user.click(save());
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith(home));
  expect(requests.find(({ call }) => call === 'POST /api/addresses')?.body).toMatchObject({
    phone: '98765 43210',
    pincode: '411030',
    city: 'Pune',
    isDefault: false,
  });
});

it('does not save an unknown pincode', async () => {
  const { user, requests } = open({ 'GET /api/pincode/999999': { Status: 'Error', PostOffice: null } }, home);
  await user.clear(field(/^Pincode/));
  await user.type(field(/^Pincode/), '999999');
  await screen.findByText('Invalid pincode.');
  await user.click(save());
  expect(document.activeElement).toBe(field(/^Pincode/));
  expect(requests.filter(({ call }) => call.startsWith('PUT'))).toEqual([]);
});

it("shows the server's error beside its field", async () => {
  // The text does not name the field.
  const text = 'Ten digits, please';
  const { user } = open({ 'PUT /api/addresses/a1': errorStatus(400, 'invalid_input', text, 'phone') }, home);
  await user.click(save());
  await screen.findByText(text);
  expect(field(/^Phone/).getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field(/^Phone/));
});

it('shows an error that belongs to no field as an alert, and keeps what was typed', async () => {
  const text = 'phone and more: Too many addresses';
  const { user, onSaved } = open({ 'PUT /api/addresses/a1': errorStatus(400, 'address_book_full', text) }, home);
  await user.type(field(/^Address line 2/), 'Sadashiv Peth');
  await user.click(save());
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Too many addresses'));
  expect(field(/^Address line 2/).value).toBe('Sadashiv Peth');
  expect(onSaved).not.toHaveBeenCalled();
});

it('a new address has the name of the profile and autofill tokens', async () => {
  // The page that opens the dialog knows the user.
  const client = newClient();
  client.setQueryData(authStatusQuery.queryKey, signedIn['GET /api/auth/check-auth']);
  client.setQueryData(currentUserQuery.queryKey, signedIn['GET /api/userinfo'] as { user: User });
  mockApi({ ...signedIn, 'GET /api/addresses': { addresses: [] } });
  renderApp(<AddressDialog open address={undefined} onClose={() => undefined} />, '/', client);
  expect(field(/^Full name/).value).toBe('Asha Kulkarni');
  const fields = document.querySelectorAll<HTMLInputElement>('[autocomplete^="shipping"]');
  expect([...fields].map(({ name }) => name)).toEqual([
    'name',
    'phone',
    'pincode',
    'addressLine1',
    'addressLine2',
    'city',
    'state',
  ]);
});

it('says that a pincode could not be looked up; a save that fails has a toast, and what was typed stays', async () => {
  const text = 'phone must be a 10-digit phone number';
  const { user } = open({
    'GET /api/pincode/411030': () => {
      throw new TypeError('Failed to fetch');
    },
    'POST /api/addresses': errorStatus(400, 'invalid_input', text, 'phone'),
  });
  await user.type(field(/^Address name/), 'Home');
  await user.clear(field(/^Full name/));
  await user.type(field(/^Full name/), 'Asha');
  await user.type(field(/^Phone/), '9876543210');
  await user.type(field(/^Pincode/), '411030');
  await screen.findByText('Something went wrong.');
  await user.type(field(/^Address line 1/), '12 Laxmi Road');
  await user.type(field(/^City/), 'Pune');
  await user.selectOptions(screen.getByLabelText(/^State/), 'Maharashtra');
  await user.click(save());
  await waitFor(() => expect(screen.getByTestId('toasts').textContent).toContain('Failed to add address'));
  screen.getByText(text);
  expect(field(/^Address line 1/).value).toBe('12 Laxmi Road');
});
