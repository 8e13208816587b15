// The 21 names that the search box suggests, and how it matches them.

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

export type SoundsLike = (name: string, typed: string) => boolean;

/** Names that contain the text; behind them those that sound like it, once the code for that is loaded. */
export function suggestionsFor(text: string, soundsLike?: SoundsLike): string[] {
  const needle = text.trim().toLowerCase();
  if (!needle) return [];
  const literal = SUGGESTED_NAMES.filter((name) => name.toLowerCase().includes(needle));
  if (!soundsLike) return literal;
  const close = SUGGESTED_NAMES.filter((name) => !literal.includes(name) && soundsLike(name, needle));
  return [...literal, ...close];
}
