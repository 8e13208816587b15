import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { toCsv } from './csv';

test('a CSV file has every cell, and no formula', () => {
  const rows = [
    ['Goda "Masala", hot', 1234.5],
    ['two\nlines', 0],
    ['=1+1', -5],
  ];
  const text = toCsv(['Name', 'Sales'], rows);
  expect(text.startsWith('\ufeff')).toBe(true);
  expect(parse(text, { bom: true })).toEqual([
    ['Name', 'Sales'],
    ['Goda "Masala", hot', '1234.5'],
    ['two\nlines', '0'],
    ["'=1+1", '-5'],
  ]);
});
