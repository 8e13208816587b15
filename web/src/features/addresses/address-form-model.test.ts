import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkAddress, emptyAddress, matchState, newAddress, STATES } from './address-form-model';

const full = {
  ...emptyAddress,
  addressName: 'Home',
  name: 'Asha',
  phone: '9876543210',
  addressLine1: '12 Laxmi Road',
  city: 'Pune',
  state: 'Maharashtra',
  pincode: '411030',
};

describe('an address', () => {
  it('needs everything but line 2', () => {
    expect(checkAddress(full)).toEqual({});
    expect(Object.keys(checkAddress(emptyAddress))).toEqual([
      'addressName',
      'name',
      'phone',
      'pincode',
      'addressLine1',
      'city',
      'state',
    ]);
  });
  it('says what is wrong beside its field', () => {
    expect(checkAddress({ ...full, phone: '12', pincode: '012345', addressLine2: 'x'.repeat(201) })).toEqual({
      phone: 'Phone must be a 10-digit phone number',
      pincode: 'Pincode must be 6 digits',
      addressLine2: 'Address line 2 must be at most 200 characters',
    });
  });
  it('begins a new address with the name and phone of the profile, else of a saved address', () => {
    const saved = { ...emptyAddress, _id: 'a1', name: 'Ravi Kulkarni', phone: '+919811122233' };
    const start = (user: Parameters<typeof newAddress>[0], addresses = [saved]) => {
      const { name, phone } = newAddress(user, addresses);
      return [name, phone];
    };
    expect(start({ name: 'Asha', phone: '+919876543210' })).toEqual(['Asha', '+91 98765 43210']);
    expect(start({ name: 'Asha', phone: null })).toEqual(['Asha', '+91 98111 22233']);
    expect(
      start(null, [
        { ...saved, name: 'First' },
        { ...saved, isDefault: true },
      ]),
    ).toEqual(['Ravi Kulkarni', '+91 98111 22233']);
    expect(start(null, [])).toEqual(['', '']);
  });
  it('knows the states of crates/domain/src/address.rs', () => {
    const rust = readFileSync(new URL('../../../../crates/domain/src/address.rs', import.meta.url), 'utf8');
    const list = /STATES[^=]*= \[([^\]]*)\]/.exec(rust)?.[1] ?? '';
    expect([...list.matchAll(/"([^"]+)"/g)].map((match) => match[1])).toEqual(STATES);
    expect(matchState('jammu & kashmir')).toBe('Jammu and Kashmir');
    expect(matchState('Atlantis')).toBe('');
  });
});
