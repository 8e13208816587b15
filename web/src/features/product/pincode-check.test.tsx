// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { mockApi, renderApp } from '~/testing/render';
import { PincodeCheck } from './pincode-check';

const pune = { Status: 'Success', PostOffice: [{ District: 'Pune', State: 'Maharashtra' }] };

it('looks a pincode up when it has 6 characters, and says what is wrong with it', async () => {
  const requests = mockApi({
    'GET /api/pincode/411026': pune,
    'GET /api/pincode/000000': { Status: 'Error', PostOffice: null },
    'GET /api/pincode/560001': () => {
      throw new TypeError('Failed to fetch');
    },
  });
  const { user } = renderApp(<PincodeCheck />);
  const field = screen.getByLabelText<HTMLInputElement>('Deliver to');
  screen.getByText('Delivery within 3-5 days');
  await user.type(field, '41102');
  expect(requests).toEqual([]);
  await user.type(field, '69');
  expect(field.value).toBe('411026');
  await screen.findByText('Pune, Maharashtra');
  await user.clear(field);
  await user.type(field, '000000');
  await screen.findByText('Invalid pincode.');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await user.clear(field);
  await user.type(field, '560001');
  await screen.findByText('Something went wrong.');
});

it('remembers the last pincode that exists, until it is cleared', async () => {
  mockApi({
    'GET /api/pincode/411026': { ...pune, delivery: { serviceable: true, by: '2026-11-21' } },
    'GET /api/pincode/000000': { Status: 'Error', PostOffice: null },
  });
  const field = () => screen.getByLabelText<HTMLInputElement>('Deliver to');
  const { user } = renderApp(<PincodeCheck />);
  screen.getByText('Free delivery');
  await user.type(field(), '411026');
  await screen.findByText('Delivery by Sat 21 Nov');
  await user.clear(field());
  await user.type(field(), '411026');
  await screen.findByText('Delivery by Sat 21 Nov');
  cleanup();

  renderApp(<PincodeCheck />);
  expect(field().value).toBe('411026');
  await screen.findByText('Delivery by Sat 21 Nov');
  await user.type(field(), '{Backspace}');
  screen.getByText('Delivery within 3-5 days');
  await waitFor(() => expect(localStorage.getItem('pincode')).toBe('411026'));
  await user.clear(field());
  expect(localStorage.getItem('pincode')).toBeNull();
});

it('says that the courier does not deliver there, and nothing of it while another pincode is typed', async () => {
  mockApi({ 'GET /api/pincode/744101': { ...pune, delivery: { serviceable: false, by: null } } });
  const { user } = renderApp(<PincodeCheck />);
  const field = screen.getByLabelText<HTMLInputElement>('Deliver to');
  await user.type(field, '744101');
  await screen.findByText('Our courier does not deliver to this pincode yet');
  await user.type(field, '{Backspace}{Backspace}');
  screen.getByText('Delivery within 3-5 days');
  expect(screen.queryByText('Our courier does not deliver to this pincode yet')).toBeNull();
});
