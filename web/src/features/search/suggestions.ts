// What the search box suggests: 21 fixed names, and what the search of the shop finds.
import type { Suggestion as ProductSuggestion } from '~/api/types';

export const SUGGESTED_NAMES = [
  'Chhole Masala',
  'Paneer Butter Masala',
  'Pav Bhaji Masala',
  'Tikka Masala',
  'Goda Masala',
  'Kolhapuri Misal Masala',
  'Peri-Peri Mix',
  'Falafel Mix',
  'Manchurian Mix',
  'Mexican Taco Mix',
  'Italian Garlic Bread Mix',
  'Chicken Chettinad Masala',
  'Biryani Masala',
  'Sambar Masala',
  'Tomato Soup Mix',
  'Chaat Masala',
  'Chai Masala',
  'Mango Pickle Masala',
  'Malaysian Curry Mix',
  'Malvani Fish Masala',
  'Kanda Lasun Masala',
] as const;

/** The fixed names that contain the text. */
export function fixedSuggestions(text: string): string[] {
  const needle = text.trim().toLowerCase();
  return needle ? SUGGESTED_NAMES.filter((name) => name.toLowerCase().includes(needle)) : [];
}

export type Suggestion = { name: string; image?: string; price?: number | null };

/**
 * The fixed names that contain the text, with picture and price where the shop sells a product of that name. If none
 * contains it, what the shop's search found.
 */
export function suggestionsFor(text: string, found: readonly ProductSuggestion[]): Suggestion[] {
  const fixed = fixedSuggestions(text);
  return fixed.length > 0 ? fixed.map((name) => found.find((one) => one.name === name) ?? { name }) : [...found];
}
