import { expect, expectTypeOf, it } from 'vitest';
import { buildQuery, parseQuery } from './query-string';
import { anyText, day, type FilterOf, keyOf, matching, oneOf, pageNumber, urlFilter } from './url-filter';

const LABELS = { open: 'Open', done: 'Done' };
const url = urlFilter({
  state: keyOf(LABELS, 'open'),
  view: oneOf(['grid', 'list'], ''),
  name: anyText,
  from: day,
  hour: matching(/^\d\d?$/),
  page: pageNumber,
});
const read = (search: string) => url.read(parseQuery(search));
const defaults = { state: 'open', view: '', name: '', from: '', hour: '', page: 1 };

it('reads each value with its type', () => {
  const filter = read('?state=done&view=grid&name=%20Asha%20&from=2026-11-15&hour=9&page=3');
  expect(filter).toEqual({ state: 'done', view: 'grid', name: 'Asha', from: '2026-11-15', hour: '9', page: 3 });
  expectTypeOf(filter).toEqualTypeOf<{
    state: 'open' | 'done';
    view: 'grid' | 'list' | '';
    name: string;
    from: string;
    hour: string;
    page: number;
  }>();
  expectTypeOf<FilterOf<typeof url>>().toEqualTypeOf(filter);
});

it('reads the default where a value is absent or wrong', () => {
  expect(read('')).toEqual(defaults);
  expect(read('?state=toString&view=x&from=2026-13-45&hour=noon&page=1.5')).toEqual(defaults);
  expect(['', '0', '-2', '1.5', 'x', '3'].map(pageNumber.read)).toEqual([1, 1, 1, 1, 1, 3]);
});

it('writes what differs from the default', () => {
  expect(buildQuery(url.write(read('?state=done&name=a&page=2')))).toBe('?state=done&name=a&page=2');
  expect(buildQuery(url.write(read('')))).toBe('');
  expect(url.write({ page: 4 })).toEqual({ page: '4' });
});
