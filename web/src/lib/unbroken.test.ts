import { expect, it } from 'vitest';
import { unbroken, withUnits } from './unbroken';

it('keeps a number with its unit, and with the word before it', () => {
  expect(withUnits('Bake at 200 °C for 12 minutes. Serves 4.')).toBe(
    'Bake at 200\u00a0°C for\u00a012\u00a0minutes. Serves\u00a04.',
  );
  expect(withUnits('Add ½ teaspoon and 1½ cups')).toBe('Add ½\u00a0teaspoon and 1½\u00a0cups');
  expect(withUnits('In 2 or 3')).toBe('In 2\u00a0or 3');
});

it('keeps a phone number on one line', () => {
  expect(unbroken('+91 20 5550 0142')).toBe('+91\u00a020\u00a05550\u00a00142');
});
