import { describe, expect, it } from 'vitest';
import type { Product } from '~/api/types';
import { categoriesOf, shownProducts, toggled } from './filtering';

const product = (product_name: string, category: string[], isVisible = true, devanagari_name = '') =>
  ({ product_name, category, isVisible, devanagari_name }) as Product;
const goda = product('Goda Masala', ['Maharashtrian', 'Veg'], true, 'गोडा मसाला');
const taco = product('Mexican Taco Mix', ['Mexican', 'Snacks']);
const hidden = product('Secret Masala', ['Veg'], false);
const all = [goda, taco, hidden];

describe('the product list', () => {
  it('shows only products with isVisible', () => expect(shownProducts(all, '', [])).toEqual([goda, taco]));
  it('matches product name or category, whatever the case', () => {
    expect(shownProducts(all, 'GODA', [])).toEqual([goda]);
    expect(shownProducts(all, 'snack', [])).toEqual([taco]);
    expect(shownProducts(all, 'गोडा', [])).toEqual([goda]);
    expect(shownProducts(all, 'nothing', [])).toEqual([]);
  });
  it('shows what is in any chosen category', () => {
    expect(shownProducts(all, '', ['veg', 'Snacks'])).toEqual([goda, taco]);
    expect(shownProducts(all, 'taco', ['Veg'])).toEqual([]);
  });
  it('lists the categories present and toggles them', () => {
    expect(categoriesOf([goda, taco])).toEqual(['Maharashtrian', 'Mexican', 'Snacks', 'Veg']);
    expect(toggled(['Veg'], 'veg')).toEqual([]);
    expect(toggled(['Veg'], 'Snacks')).toEqual(['Veg', 'Snacks']);
  });
});
