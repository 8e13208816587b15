import { expect, test } from 'vitest';
import { weightText } from './reserved-stock';

test('small amounts are grams, large ones kilograms', () => {
  expect([50, 950, 1000, 1250, 1_804_700].map(weightText)).toEqual(['50 g', '950 g', '1 kg', '1.25 kg', '1,804.70 kg']);
});
