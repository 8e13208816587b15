// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Address } from '~/api/types';
import { errorStatus, mockApi, renderApp, Status, signedIn } from '~/testing/render';
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
