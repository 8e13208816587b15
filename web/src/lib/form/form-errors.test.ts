import { expect, it } from 'vitest';
import { fieldOf, hasErrors } from './form-errors';

const FIELDS = ['phone', 'dateOfBirth'] as const;
const error = (field?: unknown) => Object.assign(new Error('phone is wrong'), { field });

it('finds the field that the server names, and no other', () => {
  expect(fieldOf(error('dateOfBirth'), FIELDS)).toBe('dateOfBirth');
  expect(fieldOf(error('mrp'), FIELDS)).toBeUndefined();
  expect(fieldOf(error(), FIELDS)).toBeUndefined();
  expect(fieldOf(new Error('phone'), FIELDS)).toBeUndefined();
  expect(fieldOf(null, FIELDS)).toBeUndefined();
});

it('an empty text is no error', () => {
  expect(hasErrors({})).toBe(false);
  expect(hasErrors({ phone: '' })).toBe(false);
  expect(hasErrors({ phone: '', name: 'Name is required' })).toBe(true);
});
