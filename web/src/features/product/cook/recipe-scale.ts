// The quantities of a recipe for another number of people. A recipe is plain text: amounts are scaled, times, temperatures
// and lengths are not.

export const PEOPLE = [2, 4, 8] as const;

/** For how many people a recipe is written; undefined where it does not say. */
export function servingsOf(steps: readonly string[]): number | undefined {
  for (const step of steps) {
    const found =
      /\bServes (\d+)(?: to (\d+))?/.exec(step) ?? /\bMakes (\d+)(?: \p{L}+)? (?:cups|glasses)\b/u.exec(step);
    if (found) return Number(found[2] ?? found[1]);
  }
  return undefined;
}

/** The choice that is nearest to what the recipe is written for. */
export function nearestPeople(servings: number): number {
  return PEOPLE.reduce((best, people) => (Math.abs(people - servings) <= Math.abs(best - servings) ? people : best));
}

const GLYPHS: Record<string, number> = { '¼': 1 / 4, '⅓': 1 / 3, '½': 1 / 2, '⅔': 2 / 3, '¾': 3 / 4 };
const NUMBER = '(?:\\d+[¼⅓½⅔¾]?|[¼⅓½⅔¾])';
const WORDS = '((?: [\\p{L}-]+){0,3})';
const AMOUNTS = new RegExp(
  `\\bServes \\d+(?: to \\d+)?|\\ba (50|100) g pouch\\b|\\bhalf an?${WORDS}|(${NUMBER})(?: to (${NUMBER}))?${WORDS}`,
  'gu',
);
/** After a number: what it counts is not an amount of food. */
const NOT_AN_AMOUNT =
  /^ (?:minutes?|seconds?|hours?|days?|weeks?|whistles?|times|cm|mm|for|on|in|until|more|at|and|or)\b/;
const WEIGHT = /^ (?:g|kg|ml)\b/;
const PLURALS: Record<string, string> = {
  ...Object.fromEntries(
    'cup tablespoon teaspoon litre onion carrot capsicum brinjal lemon clove sprig shell cashew egg ball pod slice'
      .split(' ')
      .map((word) => [word, `${word}s`]),
  ),
  tomato: 'tomatoes',
  potato: 'potatoes',
  chilli: 'chillies',
};
const SINGULARS = Object.fromEntries(Object.entries(PLURALS).map(([one, many]) => [many, one]));

/** A step of a recipe for `servings` people, rewritten for `people`. */
export function scaleStep(step: string, servings: number, people: number): string {
  const factor = people / servings;
  if (factor === 1) return step;
  return step.replace(AMOUNTS, (whole, pouch, halfOf, from, to, words, offset: number) => {
    if (whole.startsWith('Serves')) return `Serves ${people}`;
    if (pouch) return pouches(factor, pouch);
    if (halfOf !== undefined) return formatMeasure(factor / 2) + withNumber(halfOf, factor / 2);
    const after = words || step.slice(offset + whole.length);
    if (!words || NOT_AN_AMOUNT.test(after) || / g pouch\b/.test(words)) return whole;
    const isWeight = WEIGHT.test(words);
    const last = parseAmount(to ?? from) * factor;
    const range = to ? `${formatMeasure(parseAmount(from) * factor, isWeight)} to ` : '';
    return range + formatMeasure(last, isWeight) + withNumber(words, last);
  });
}

function pouches(factor: number, grams: string): string {
  if (factor < 1) return factor === 0.5 ? `half a ${grams} g pouch` : `${formatMeasure(factor)} of a ${grams} g pouch`;
  return factor === 2 ? `two ${grams} g pouches` : `${formatMeasure(factor)} × ${grams} g pouch`;
}

function parseAmount(text: string): number {
  const glyph = GLYPHS[text.slice(-1)];
  return glyph === undefined ? Number(text) : Number(text.slice(0, -1) || 0) + glyph;
}

/** As a cook measures: whole grams, and quarters or thirds of a spoon. */
export function formatMeasure(amount: number, isWeight = false): string {
  if (isWeight || amount >= 10) {
    return String(amount >= 100 ? Math.round(amount / 5) * 5 : Math.max(1, Math.round(amount)));
  }
  const parts: [number, string][] = [
    [0, ''],
    ...Object.entries(GLYPHS).map(([glyph, part]) => [part, glyph] as [number, string]),
    [1, ''],
  ];
  const whole = Math.floor(amount);
  const [part, glyph] = parts.reduce((best, each) =>
    Math.abs(each[0] - (amount - whole)) < Math.abs(best[0] - (amount - whole)) ? each : best,
  );
  const count = whole + (part === 1 ? 1 : 0);
  return count === 0 ? glyph || '¼' : `${count}${glyph}`;
}

/** The first countable noun of the words after an amount, in its singular or plural. */
function withNumber(words: string, amount: number): string {
  let done = false;
  return words.replace(/\p{L}+/gu, (word) => {
    if (done || !(word in PLURALS || word in SINGULARS)) return word;
    done = true;
    return (amount > 1 ? PLURALS[word] : SINGULARS[word]) ?? word;
  });
}
