import { describe, expect, it } from 'vitest';
import type { Product } from '~/api/types';
import { categoryCounts, filterProducts, toggleCategory } from './filtering';

const product = (product_name: string, category: string[], isVisible = true, devanagari_name = '') =>
  ({ product_name, category, isVisible, devanagari_name }) as Product;
const goda = product('Goda Masala', ['Maharashtrian', 'Veg'], true, 'गोडा मसाला');
const taco = product('Mexican Taco Mix', ['Mexican', 'Snacks']);
const hidden = product('Secret Masala', ['Veg'], false);
const all = [goda, taco, hidden];

describe('the product list', () => {
  it('shows only products with isVisible', () => expect(filterProducts(all, '', [])).toEqual([goda, taco]));
  it('matches product name or category, whatever the case', () => {
    expect(filterProducts(all, 'GODA', [])).toEqual([goda]);
    expect(filterProducts(all, 'snack', [])).toEqual([taco]);
    expect(filterProducts(all, 'गोडा', [])).toEqual([goda]);
    expect(filterProducts(all, 'nothing', [])).toEqual([]);
  });
  it('shows what is in any chosen category', () => {
    expect(filterProducts(all, '', ['veg', 'Snacks'])).toEqual([goda, taco]);
    expect(filterProducts(all, 'taco', ['Veg'])).toEqual([]);
  });
  it('lists the categories present, the largest first, and toggles them', () => {
    const counts = categoryCounts([taco, goda, product('Amti', ['Veg'])]).map(({ name, count }) => `${name} ${count}`);
    expect(counts).toEqual(['Veg 2', 'Maharashtrian 1', 'Mexican 1', 'Snacks 1']);
    expect(toggleCategory(['Veg'], 'veg')).toEqual([]);
    expect(toggleCategory(['Veg'], 'Snacks')).toEqual(['Veg', 'Snacks']);
  });
});
