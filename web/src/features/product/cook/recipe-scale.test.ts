import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatMeasure, nearestPeople, scaleStep, servingsOf } from './recipe-scale';

const half = (step: string) => scaleStep(step, 4, 2);
const double = (step: string) => scaleStep(step, 4, 8);

describe('a recipe for another number of people', () => {
  it('says for how many it is written', () => {
    expect(servingsOf(['Boil.', 'Rest for 10 minutes. Serves 4.'])).toBe(4);
    expect(servingsOf(['Serves 3 to 4.'])).toBe(4);
    expect(servingsOf(['Strain and serve. Makes 2 large cups.'])).toBe(2);
    expect(servingsOf(['It lasts a year.'])).toBeUndefined();
    expect([2, 3, 4, 5, 6, 9].map(nearestPeople)).toEqual([2, 4, 4, 4, 8, 8]);
  });

  it('scales amounts of every kind', () => {
    expect(double('Add 1½ cups hot water and ½ teaspoon salt.')).toBe('Add 3 cups hot water and 1 teaspoon salt.');
    expect(half('Stir in 2 tablespoons (about 14 g) Goda Masala.')).toBe(
      'Stir in 1 tablespoon (about 7 g) Goda Masala.',
    );
    expect(half('Fry 2 finely chopped onions with 1 tomato.')).toBe('Fry 1 finely chopped onion with ½ tomato.');
    expect(double('the juice of half a lemon')).toBe('the juice of 1 lemon');
    expect(double('Add 2 to 3 teaspoons sugar.')).toBe('Add 4 to 6 teaspoons sugar.');
    expect(half('Rub 750 g chicken.')).toBe('Rub 375 g chicken.');
  });

  it('does not scale times, temperatures and lengths', () => {
    for (const step of [
      'Simmer for 10 minutes, then 6 to 8 minutes more.',
      'Bake at 200 °C; cut slices 2 cm thick, in 5 cm of oil.',
      'Pressure-cook for 6 whistles. Chicken needs 25 minutes, 12 for paneer; cook vegetables for 6.',
      'Chill for 2 hours and keep in the sun for 5 days.',
    ]) {
      expect(double(step)).toBe(step);
    }
  });

  it('scales the number of people and of pouches', () => {
    expect(double('Serves 3 to 4.')).toBe('Serves 8.');
    expect(double('Empty a 50 g pouch into a pan.')).toBe('Empty two 50 g pouches into a pan.');
    expect(half('Empty a 50 g pouch into a pan.')).toBe('Empty half a 50 g pouch into a pan.');
  });

  it('writes amounts as a cook measures them', () => {
    expect([0.25, 0.1, 1.2, 2.34, 0.97, 3, 12.4].map((amount) => formatMeasure(amount))).toEqual([
      '¼',
      '¼',
      '1¼',
      '2⅓',
      '1',
      '3',
      '12',
    ]);
    expect(formatMeasure(3.5, true)).toBe('4');
    expect(formatMeasure(1234, true)).toBe('1235');
  });

  it('keeps every time and temperature of the catalogue', () => {
    const folder = '../catalogue/products';
    const fixed = /\d+[½]?(?: to \d+)? ?(?:°C|minutes?|seconds?|hours?|days|weeks|whistles?|cm)/g;
    for (const file of readdirSync(folder)) {
      const steps = readFileSync(`${folder}/${file}`, 'utf8');
      expect(scaleStep(steps, 4, 8).match(fixed), file).toEqual(steps.match(fixed));
    }
  });
});
