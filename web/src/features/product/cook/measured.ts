// What the steps of a recipe measure out: '2 tablespoons oil', 'half a lemon'. A recipe is plain text, so what it names without
// an amount is not found.

const NUMBER = '(?:\\d+[¼⅓½⅔¾]?|[¼⅓½⅔¾])';
const AMOUNT = [
  'the juice of (?:half an?|NUMBER)',
  'half an?',
  'a (?:pinch|handful|sprig) of',
  'NUMBER(?: to NUMBER)?',
].join('|');
const POUCH =
  '(?:an?|two|half a|NUMBER ×|NUMBER of a) (?:50|100) g pouch(?:es)?(?: of [\\p{Lu}][\\p{L}-]*(?: [\\p{Lu}][\\p{L}-]*)*)?';
const STOP_WORDS =
  'and|or|with|for|in|into|to|until|as|while|at|on|over|through|just|before|from|when|if|crosswise|crackle|so|it|them';
const NAME = `(?:\\([^)]*\\)|[^,.;:()])+?(?=[,.;:]| (?:${STOP_WORDS})\\b|$)`;
const FOUND = new RegExp(
  `(?<before>\\p{L}+ )?(?:(?<pouch>${POUCH})|(?<![\\p{L}\\d])(?:${AMOUNT}) (?<name>${NAME}))`.replaceAll(
    'NUMBER',
    NUMBER,
  ),
  'gu',
);
/** What the number counts is made, or people, or time. */
const MADE = /^(?:into|shape|serves|makes) $/i;
const NO_FOOD =
  /^(?:minutes?|seconds?|hours?|days?|weeks?|whistles?|times|cm|mm|°C|people|more|(?:g|kg|ml|litres?|cups?|tablespoons?|teaspoons?)(?: \([^)]*\))?$)(?!\p{L})/u;
const STARTS_WITH_STOP = new RegExp(`^(?:${STOP_WORDS})\\b`);

export function measuredIn(step: string): string[] {
  return [...step.matchAll(FOUND)].flatMap(({ 0: whole, groups: { before = '', name = '' } = {} }) => {
    if (MADE.test(before) || NO_FOOD.test(name) || STARTS_WITH_STOP.test(name)) return [];
    return [(before === 'or ' ? whole : whole.slice(before.length)).trim()];
  });
}
