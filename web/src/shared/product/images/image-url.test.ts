import { describe, expect, it } from 'vitest';
import { lifestyleImageIndex } from './image-url';

describe("the product list's image", () => {
  it.each([
    'goda-masala lifestyle shot.webp',
    'goda-lifestyle-shot-3f9a2c1b5d6e7f80.webp',
    'Goda_Lifestyle_Shot.JPG',
    'https://pictures.example/goda%20lifestyle%20shot.jpg',
    'https://pictures.example/goda+lifestyle+shot.jpg',
    'goda - lifestyle  shot 2.png',
  ])('is the lifestyle shot: %s', (file) => {
    expect(lifestyleImageIndex({ images: ['pouch.webp', file, 'closeup.webp'] })).toBe(1);
  });

  it('is the first one where there is none', () => {
    expect(lifestyleImageIndex({ images: ['pouch.webp', 'lifestyle.webp', 'shot-lifestyle.webp'] })).toBe(0);
    expect(lifestyleImageIndex({ images: [] })).toBe(0);
  });
});
