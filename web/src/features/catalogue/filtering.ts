// Which products a list shows: by text (name or category, case-insensitive) and by any of the chosen categories.
import type { Product } from '~/api/types';

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

export function matchesText(product: Product, text: string): boolean {
  const needle = text.trim().toLowerCase();
  if (!needle) return true;
  return (
    product.product_name.toLowerCase().includes(needle) ||
    product.devanagari_name.includes(needle) ||
    product.category.some((category) => category.toLowerCase().includes(needle))
  );
}

export function inCategories(product: Product, chosen: string[]): boolean {
  return chosen.length === 0 || chosen.some((one) => product.category.some((category) => same(category, one)));
}

export function filterProducts(products: Product[], text: string, chosen: string[]): Product[] {
  return products.filter((product) => product.isVisible && matchesText(product, text) && inCategories(product, chosen));
}

export type CategoryCount = { name: string; count: number };

/** The largest first, then by name: as the server lists them. */
export function categoryCounts(products: Product[]): CategoryCount[] {
  const counts = new Map<string, number>();
  for (const name of products.flatMap((product) => product.category)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

/** The selected categories with one added or removed. */
export function toggleCategory(chosen: string[], category: string): string[] {
  return chosen.some((one) => same(one, category))
    ? chosen.filter((one) => !same(one, category))
    : [...chosen, category];
}

export function isSelected(chosen: string[], category: string): boolean {
  return chosen.some((one) => same(one, category));
}
