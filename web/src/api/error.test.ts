import { describe, expect, it } from 'vitest';
import { ApiError, errorFrom, fieldOf, isOutcomeUnknown, isUnauthorized } from './error';

describe('an error of the API', () => {
  it('has the message of the body, else the fallback', () => {
    expect(errorFrom(400, { error: 'mrp is required', message: 'x' }, 'Failed').message).toBe('mrp is required');
    expect(errorFrom(400, { message: 'mrp is required' }, 'Failed').message).toBe('mrp is required');
    for (const body of [null, 'text', [], {}, { error: '' }, { error: 5 }]) {
      expect(errorFrom(500, body, 'Failed').message).toBe('Failed');
    }
  });

  it('has the code and the field of the body', () => {
    const error = errorFrom(422, { error: 'The phone number is wrong', code: 'invalid_phone', field: 'phone' }, '');
    expect(error).toMatchObject({ status: 422, code: 'invalid_phone', field: 'phone' });
  });

  it('finds the field of a form, in the message where the body has none', () => {
    const fields = ['phone', 'dateOfBirth'] as const;
    expect(fieldOf(errorFrom(400, { error: 'x', field: 'phone' }, ''), fields)).toBe('phone');
    expect(fieldOf(errorFrom(400, { error: 'dateOfBirth must be a date' }, ''), fields)).toBe('dateOfBirth');
    expect(fieldOf(errorFrom(400, { error: 'Too many addresses' }, ''), fields)).toBeUndefined();
    expect(fieldOf(new Error('phone'), fields)).toBeUndefined();
  });

  it('is unauthorized by its status or its text', () => {
    expect(isUnauthorized(errorFrom(401, null, ''))).toBe(true);
    expect(isUnauthorized(errorFrom(400, { error: 'User not authenticated' }, ''))).toBe(true);
    expect(isUnauthorized(errorFrom(403, { error: 'Forbidden' }, ''))).toBe(false);
  });

  it('leaves the outcome unknown after a network or server error', () => {
    expect(isOutcomeUnknown(new ApiError(0, ''))).toBe(true);
    expect(isOutcomeUnknown(new ApiError(503, ''))).toBe(true);
    expect(isOutcomeUnknown(new ApiError(409, 'Not enough spice stock available'))).toBe(false);
    expect(isOutcomeUnknown(new Error('Failed to initiate payment'))).toBe(false);
  });
});
