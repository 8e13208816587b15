import { describe, expect, it } from 'vitest';
import { ApiError, errorFrom, hasCode, isOutcomeUnknown, isUnauthorized } from './error';

describe('an error of the API', () => {
  it('has the message of the body, else the fallback', () => {
    expect(errorFrom(400, { error: 'mrp is required', message: 'x' }, 'Failed').message).toBe('mrp is required');
    expect(errorFrom(400, { message: 'mrp is required' }, 'Failed').message).toBe('mrp is required');
    for (const body of [null, 'text', [], {}, { error: '' }, { error: 5 }]) {
      expect(errorFrom(500, body, 'Failed').message).toBe('Failed');
    }
  });

  it('has the code and the field of the body', () => {
    const error = errorFrom(400, { error: 'The number is wrong', code: 'invalid_input', field: 'phone' }, '');
    expect(error).toMatchObject({ status: 400, code: 'invalid_input', field: 'phone' });
  });

  it('takes neither code nor field from the text', () => {
    for (const text of ['not authenticated', 'phone must be a 10-digit phone number']) {
      expect(errorFrom(400, { error: text, message: text }, '')).toMatchObject({ code: 'unknown', field: '' });
    }
  });

  it('is told apart by its code', () => {
    const stock = errorFrom(409, { error: 'x', code: 'insufficient_stock' }, '');
    expect(hasCode(stock, 'cart_changed', 'insufficient_stock')).toBe(true);
    expect(hasCode(stock, 'cart_changed')).toBe(false);
    expect(hasCode(new Error('insufficient_stock'), 'insufficient_stock')).toBe(false);
  });

  it('is unauthorized by its code', () => {
    expect(isUnauthorized(errorFrom(401, { error: 'x', code: 'unauthorized' }, ''))).toBe(true);
    expect(isUnauthorized(errorFrom(403, { error: 'not authenticated', code: 'forbidden' }, ''))).toBe(false);
  });

  it('leaves the outcome unknown after a network or server error', () => {
    expect(isOutcomeUnknown(new ApiError(0, 'network', ''))).toBe(true);
    expect(isOutcomeUnknown(new ApiError(502, 'unknown', ''))).toBe(true);
    expect(isOutcomeUnknown(new ApiError(503, 'unavailable', ''))).toBe(true);
    expect(isOutcomeUnknown(new ApiError(409, 'insufficient_stock', ''))).toBe(false);
    expect(isOutcomeUnknown(new Error('Failed to initiate payment'))).toBe(false);
  });
});
