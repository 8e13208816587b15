import { describe, expect, it } from 'vitest';
import { SUGGESTED_NAMES, suggestionsFor } from './suggestions';

const namesFor = (text: string) => suggestionsFor(text, []).map(({ name }) => name);
const chhole = { _id: 'chhole-masala', name: 'Chhole Masala', image: 'chhole.webp', price: 75 };

describe('suggestions', () => {
  it('is a fixed list of 21 product names', () => {
    expect(new Set(SUGGESTED_NAMES).size).toBe(21);
  });
  it('matches a case-insensitive substring', () => {
    expect(namesFor('PERI')).toEqual(['Peri-Peri Mix']);
    expect(namesFor('chai')).toEqual(['Chai Masala']);
  });
  it('is empty when the text is blank', () => {
    expect(namesFor('   ')).toEqual([]);
  });
  it('has the picture and the price of a product with a fixed name', () => {
    expect(suggestionsFor('hole', [chhole])).toEqual([chhole]);
    expect(suggestionsFor('goda', [chhole])).toEqual([{ name: 'Goda Masala' }]);
  });
  it('has what the search of the shop finds where no fixed name contains the text', () => {
    expect(suggestionsFor('choley', [chhole])).toEqual([chhole]);
  });
});
