import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { measuredIn } from './measured';

it('finds what a step measures out', () => {
  expect(
    measuredIn(
      'Mix ½ cup coarsely crushed roasted peanuts, 2 tablespoons (about 14 g) Goda Masala, 1 teaspoon salt and 1 chopped onion.',
    ),
  ).toEqual([
    '½ cup coarsely crushed roasted peanuts',
    '2 tablespoons (about 14 g) Goda Masala',
    '1 teaspoon salt',
    '1 chopped onion',
  ]);
  expect(measuredIn('Marinate 750 g chicken, or 600 g mixed vegetables and paneer, with a pinch of saffron.')).toEqual([
    '750 g chicken',
    'or 600 g mixed vegetables',
    'a pinch of saffron',
  ]);
  expect(measuredIn('Boil 2 cups vegetables (drumstick, carrot, pumpkin) in 1½ cups water for 10 minutes.')).toEqual([
    '2 cups vegetables (drumstick, carrot, pumpkin)',
    '1½ cups water',
  ]);
  expect(measuredIn('Toss with 2 to 3 teaspoons sugar and the juice of half a lemon.')).toEqual([
    '2 to 3 teaspoons sugar',
    'the juice of half a lemon',
  ]);
  expect(
    measuredIn('Warm ½ cup milk and stir in a 50 g pouch of Thandai Mix. Empty two 50 g pouches into a pan.'),
  ).toEqual(['½ cup milk', 'a 50 g pouch of Thandai Mix', 'two 50 g pouches']);
});

it('leaves out times, lengths, temperatures, people and what is made', () => {
  for (const step of [
    'Simmer for 10 minutes, then 6 to 8 minutes more; chicken needs 25 minutes, 12 for paneer.',
    'Cut into 2 cm cubes and bake at 200 °C for 22 minutes. Serves 4 with bhature.',
    'Shape 20 small balls, pour into 2 tall glasses. Makes 2 large cups.',
    'Pressure-cook for 6 whistles, keep for 2 weeks, with two spoons.',
    'Rub 500 g with it.',
  ])
    expect(measuredIn(step), step).toEqual([]);
});

it('finds something to measure in every recipe of the catalogue, and nothing long', () => {
  const folder = '../catalogue/products';
  for (const file of readdirSync(folder)) {
    const [, recipe = ''] = /^recipe = \[\n([\s\S]*?)^\]/m.exec(readFileSync(`${folder}/${file}`, 'utf8')) ?? [];
    const found = recipe.split('\n').flatMap((line) => measuredIn(line.trim().replace(/^"|",$/g, '')));
    expect(found.length, file).toBeGreaterThan(2);
    for (const one of found) expect(one.length, `${file}: ${one}`).toBeLessThan(60);
  }
});
