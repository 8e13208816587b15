// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Address } from '~/api/types';
import { mockApi, renderApp, signedIn } from '~/testing/render';
import { AddressPicker } from './address-picker';

it('the address says whether the courier delivers there', async () => {
  const address = (_id: string, pincode: string): Address => ({
    _id,
    addressName: _id,
    name: 'Asha',
    phone: '+919876543210',
    addressLine1: '1 Road',
    addressLine2: '',
    city: 'City',
    state: 'State',
    pincode,
    isDefault: false,
  });
  mockApi({
    ...signedIn,
    'GET /api/addresses': { addresses: [address('Pune', '411030'), address('Islands', '744101')] },
    'GET /api/pincode/411030': { Status: 'Success', PostOffice: [], delivery: { serviceable: true, by: null } },
    'GET /api/pincode/744101': { Status: 'Success', PostOffice: [], delivery: { serviceable: false, by: null } },
  });
  renderApp(<AddressPicker chosen="Islands" onChoose={() => undefined} disabled={false} />);
  await screen.findByText('Our courier does not deliver to this pincode yet');
  expect(screen.getAllByText('Our courier does not deliver to this pincode yet')).toHaveLength(1);
});
