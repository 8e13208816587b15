import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../..');

test('the Devanagari font of the first load has every word that the shop itself writes', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes('.test.') && !name.startsWith('testing'),
  );
  const words = files.flatMap(
    (name) => readFileSync(join(source, name), 'utf8').match(/[\u0900-\u097f\u200c\u200d]+/g) ?? [],
  );
  const cut = readFileSync(join(source, 'ui/fonts/devanagari.txt'), 'utf8').trim().split('\n');
  expect(cut, 'please run: python3 tools/subset-fonts.py').toEqual([...new Set(words)].sort());
});
