// Which products a list shows: by text (name or category, case-insensitive) and by any of the chosen categories.
import type { Product } from '~/api/types';

/** As many products as a large shop's shelf shows first; 'Show more' adds as many again. */
export const FIRST_PART = 48;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

export function matchesText(product: Product, text: string): boolean {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return true;
  return (
    product.product_name.toLowerCase().includes(wanted) ||
    product.devanagari_name.includes(wanted) ||
    product.category.some((category) => category.toLowerCase().includes(wanted))
  );
}

export function inCategories(product: Product, chosen: string[]): boolean {
  return chosen.length === 0 || chosen.some((one) => product.category.some((category) => same(category, one)));
}

export function shownProducts(products: Product[], text: string, chosen: string[]): Product[] {
  return products.filter((product) => product.isVisible && matchesText(product, text) && inCategories(product, chosen));
}

export function categoriesOf(products: Product[]): string[] {
  return [...new Set(products.flatMap((product) => product.category))].sort();
}

/** Chosen categories with one added or taken away. */
export function toggled(chosen: string[], category: string): string[] {
  return chosen.some((one) => same(one, category))
    ? chosen.filter((one) => !same(one, category))
    : [...chosen, category];
}

export function isChosen(chosen: string[], category: string): boolean {
  return chosen.some((one) => same(one, category));
}
