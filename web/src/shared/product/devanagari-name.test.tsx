import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DevanagariName } from './devanagari-name';
import { NAME_WORDS } from './devanagari-words';

test('the cut font has every word of the names in the catalogue', () => {
  const catalogue = join(import.meta.dirname, '../../../../catalogue/products');
  const words = readdirSync(catalogue).flatMap(
    (file) => readFileSync(join(catalogue, file), 'utf8').match(/[\u0900-\u097f\u200c\u200d]+/g) ?? [],
  );
  expect(NAME_WORDS.split(' '), 'please run: python3 tools/subset-fonts.py').toEqual([...new Set(words)].sort());
});

test('a name with any other word is shown in the whole font', () => {
  expect(renderToStaticMarkup(<DevanagariName name="कांदा-लसूण मसाला 2" />)).not.toContain('devanagari-whole');
  expect(renderToStaticMarkup(<DevanagariName name="गोडा तिखट" />)).toContain('devanagari-whole');
});
