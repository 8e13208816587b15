// Text that is not broken over two lines where that makes it hard to read.

const SPACE = '\u00a0';

/** A number with its unit, in a recipe: '200 °C', 'Serves 4'. */
export const withUnits = (text: string): string =>
  text
    .replace(/([\d½¼¾]) (?=[\p{L}°(])/gu, `$1${SPACE}`)
    .replace(/\b(Serves|Makes|about|for|with) (?=[\d½¼¾])/g, `$1${SPACE}`);

/** A phone number. */
export const unbroken = (text: string): string => text.replaceAll(' ', SPACE);
