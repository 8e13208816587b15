import { describe, expect, it } from 'vitest';
import { buildQuery, parseQuery, withoutParameter } from './query-string';

describe('query strings', () => {
  it('reads what a browser writes', () => {
    const query = parseQuery('?category=Rice%20Mixes&category=Non-Veg&search=a+b&flag');
    expect(query.all('category')).toEqual(['Rice Mixes', 'Non-Veg']);
    expect(query.get('search')).toBe('a b');
    expect(query.get('flag')).toBe('');
    expect(query.get('missing')).toBe('');
  });
  it('does not stumble over a broken escape', () => expect(parseQuery('?q=%E0%A4%A').get('q')).toBe('%E0%A4%A'));
  it('writes what it reads, without empty values', () => {
    const text = buildQuery({ search: 'peri & peri', category: ['Veg', 'Rice Mixes'], none: '', missing: undefined });
    expect(text).toBe('?search=peri%20%26%20peri&category=Veg&category=Rice%20Mixes');
    expect(parseQuery(text).get('search')).toBe('peri & peri');
    expect(buildQuery({ search: '' })).toBe('');
  });
  it('takes one parameter out and leaves the rest as it was', () => {
    expect(withoutParameter('?signIn=refused', 'signIn')).toBe('');
    expect(withoutParameter('?a=1&signIn=refused&b=x+y', 'signIn')).toBe('?a=1&b=x+y');
    expect(withoutParameter('', 'signIn')).toBe('');
  });
});
