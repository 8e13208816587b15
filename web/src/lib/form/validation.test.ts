import { describe, expect, it } from 'vitest';
import { checkPhone, checkPincode, checkRequired, checkText, formatPhone } from './validation';

describe('the same cases as crates/domain', () => {
  it('phones', () => {
    for (const text of ['9876543210', '09876543210', '+91 98765-43210', '91 98765 43210']) {
      expect(checkPhone('Phone', text), text).toBe('');
    }
    for (const text of ['98765', '0000000000', '+1 212 555 0100 22', '98765x3210', '९८७६५४३२१०']) {
      expect(checkPhone('Phone', text), text).toBe('Phone must be a 10-digit phone number');
    }
    expect(checkPhone('Phone', '  ')).toBe('Phone is required');
  });

  it('pincodes', () => {
    expect(checkPincode('Pincode', '411001')).toBe('');
    for (const text of ['41100', '4110011', '011001', '41100a', '४११००१']) {
      expect(checkPincode('Pincode', text), text).toBe('Pincode must be 6 digits');
    }
    expect(checkPincode('Pincode', '')).toBe('Pincode is required');
  });

  it('text', () => {
    expect(checkText('Name', '  गोडा मसाला 🌶️ ', 50)).toBe('');
    expect(checkText('Name', 'a\u202Eb', 50)).toContain('cannot be used');
    expect(checkText('Name', 'a\nb', 50)).toContain('cannot be used');
    expect(checkText('Name', 'x'.repeat(51), 50)).toBe('Name must be at most 50 characters');
    expect(checkText('Name', '🌶'.repeat(50), 50)).toBe('');
    expect(checkRequired('Name', '   ', 50)).toBe('Name is required');
  });
});

it('phones are shown in groups of five digits', () => {
  expect(formatPhone('+919876543210')).toBe('+91 98765 43210');
  expect(formatPhone('020 555')).toBe('020 555');
});
