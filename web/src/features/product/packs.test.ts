import { describe, expect, it } from 'vitest';
import { stockError, stockLimitMessage, subtotal } from './packs';

const stock = { stock: 420, packaging_50gms: 3, packaging_100gms: 10 };

describe('packs', () => {
  it('says which one runs out', () => {
    expect(stockError(stock, { qty_50g: 3, qty_100g: 2 })).toBeNull();
    expect(stockError(stock, { qty_50g: 3, qty_100g: 3 })).toBe('Not enough spice stock available');
    expect(stockError(stock, { qty_50g: 4, qty_100g: 0 })).toBe('Not enough 50g packaging available');
    expect(stockError({ ...stock, packaging_100gms: 1 }, { qty_50g: 0, qty_100g: 2 })).toBe(
      'Not enough 100g packaging available',
    );
    expect(stockLimitMessage(stock, 50)).toBe('Not enough 50g packaging available');
    expect(stockLimitMessage(stock, 100)).toBe('Not enough spice stock available');
  });
  it('rounds the subtotal, and has none where a price is missing', () => {
    expect(subtotal([65.5, 120], { qty_50g: 1, qty_100g: 1 })).toBe(186);
    expect(subtotal([65], { qty_50g: 2, qty_100g: 0 })).toBe(130);
    expect(subtotal([65], { qty_50g: 0, qty_100g: 1 })).toBeNull();
    expect(subtotal([50, 0], { qty_50g: 1, qty_100g: 500 })).toBeNull();
    expect(subtotal([50, 0], { qty_50g: 1, qty_100g: 0 })).toBe(50);
  });
});
