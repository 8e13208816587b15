import { expect, it } from 'vitest';
import { checkProfile, genderText } from './profile-form-model';

const asha = { name: 'Asha', phone: '', dateOfBirth: '', gender: '' };

it('needs a name and nothing else', () => {
  expect(checkProfile(asha, '2026-11-15')).toEqual({});
  expect(checkProfile({ ...asha, name: ' ' }, '2026-11-15')).toEqual({ name: 'Name is required' });
});

it('checks what is given', () => {
  const values = { ...asha, phone: '12', dateOfBirth: '2027-01-01' };
  expect(checkProfile(values, '2026-11-15')).toEqual({
    phone: 'Phone must be a 10-digit phone number',
    dateOfBirth: 'Date of birth must be a day in the past',
  });
});
it('labels genders', () => {
  expect([genderText('prefer-not-to-say'), genderText(null)]).toEqual(['Prefer not to say', '']);
});
