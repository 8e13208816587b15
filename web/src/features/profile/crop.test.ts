import { describe, expect, it } from 'vitest';
import { centred, clamp, dragged, sourceSquare } from './crop';

const wide = { width: 400, height: 200 };

describe('the crop square', () => {
  it('starts in the middle, as large as the short side', () => {
    expect(sourceSquare(wide, centred(wide))).toEqual({ x: 100, y: 0, side: 200 });
  });
  it('gets smaller with zoom', () => {
    expect(sourceSquare(wide, { ...centred(wide), zoom: 2 })).toEqual({ x: 150, y: 50, side: 100 });
  });
  it('never leaves the image', () => {
    expect(clamp(wide, { zoom: 9, x: -50, y: 900 })).toEqual({ zoom: 4, x: 25, y: 175 });
    expect(dragged(wide, centred(wide), 5000, 0, 100).x).toBe(100);
  });
  it('follows the finger', () => {
    expect(dragged(wide, centred(wide), -10, 0, 100)).toEqual({ zoom: 1, x: 220, y: 100 });
  });
});
