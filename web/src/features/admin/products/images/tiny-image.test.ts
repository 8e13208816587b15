import { expect, test } from 'vitest';
import { tinyText } from './tiny-image';

test('warns of a picture whose longer side is smaller than the shop shows it', () => {
  expect(tinyText({ width: 600, height: 450 })).toMatch(/^Small picture: 600 × 450 pixels/);
  expect(tinyText({ width: 450, height: 799 })).not.toBe('');
  expect(tinyText({ width: 500, height: 800 })).toBe('');
  expect(tinyText({ width: 1600, height: 400 })).toBe('');
  // Not known.
  expect(tinyText({ width: 0, height: 0 })).toBe('');
});
