import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fold, sound, soundsLike } from './folding';
import { suggestionsFor } from './suggestions';

it('folds words as the server does', () => {
  const lines = readFileSync('../crates/domain/src/search/folded-words.txt', 'utf8').trim().split('\n');
  expect(lines.length).toBeGreaterThan(400);
  for (const line of lines) {
    const [word = ''] = line.split(' ');
    expect(`${word} ${fold(word)} ${sound(fold(word))}`).toBe(line);
  }
});

it('suggests names that sound like the text, behind those that contain it', () => {
  const suggest = (text: string) => suggestionsFor(text, soundsLike);
  expect(suggest('choley')).toEqual(['Chhole Masala']);
  expect(suggest('छोले')).toEqual(['Chhole Masala']);
  expect(suggest('pav bhaaji')).toEqual(['Pav Bhaji Masala']);
  expect(suggest('biriyani')).toEqual(['Biryani Masala']);
  expect(suggest('malwani')).toEqual(['Malvani Fish Masala']);
  expect(suggest('chai')).toEqual(['Chai Masala']);
  expect(suggest('masala')).toEqual(suggestionsFor('masala'));
  expect(suggest('laptop')).toEqual([]);
  expect(suggest('  ')).toEqual([]);
});
