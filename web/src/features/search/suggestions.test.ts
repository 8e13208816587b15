import { describe, expect, it } from 'vitest';
import { SUGGESTED_NAMES, suggestionsFor } from './suggestions';

describe('suggestions', () => {
  it('is a fixed list of 21 product names', () => {
    expect(new Set(SUGGESTED_NAMES).size).toBe(21);
  });
  it('matches a case-insensitive substring', () => {
    expect(suggestionsFor('PERI')).toEqual(['Peri-Peri Mix']);
    expect(suggestionsFor('chai')).toEqual(['Chai Masala']);
  });
  it('is empty when the text is blank', () => {
    expect(suggestionsFor('   ')).toEqual([]);
  });
});
