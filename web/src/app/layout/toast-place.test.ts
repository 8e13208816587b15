import { describe, expect, it } from 'vitest';
import { type Box, overlaps, placeToasts } from './toast-place';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const toasts = { width: 320, height: 56 };
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});
const standing = (viewport: typeof desktop, size: typeof toasts, { top, right }: { top: number; right: number }) =>
  box(viewport.width - right - size.width, top, size.width, size.height);

describe('the position of toasts', () => {
  it('is top-right', () => {
    expect(placeToasts({ viewport: desktop, toasts, used: [], controls: [] })).toEqual({ top: 16, right: 16 });
  });

  it('is below the bar at the top, whose controls stay free', () => {
    const controls = [box(1300, 30, 44, 44), box(1350, 30, 44, 44)];
    const { top, right } = placeToasts({ viewport: desktop, toasts, used: [], controls });
    expect({ top, right }).toEqual({ top: 88, right: 16 });
  });

  it('never covers what was just used', () => {
    const exportLink = box(1280, 24, 136, 44);
    const rows = Array.from({ length: 10 }, (_, row) => [
      box(1150, 200 + row * 60, 90, 44),
      box(1330, 200 + row * 60, 90, 44),
    ]).flat();
    const controls = [exportLink, ...rows];
    for (const used of controls) {
      const place = placeToasts({ viewport: desktop, toasts, used: [used], controls });
      const here = standing(desktop, toasts, place);
      expect(controls.filter((control) => overlaps(here, control))).toEqual([]);
    }
  });

  it('covers another control rather than the used one where there is no free place', () => {
    const wall = Array.from({ length: 14 }, (_, row) => box(0, row * 60, 390, 60));
    const size = { width: 358, height: 56 };
    for (const used of wall) {
      const place = placeToasts({ viewport: phone, toasts: size, used: [used], controls: wall });
      expect(overlaps(standing(phone, size, place), used)).toBe(false);
    }
  });

  it('is top-right when they fill the screen', () => {
    const size = { width: 358, height: 1200 };
    expect(placeToasts({ viewport: phone, toasts: size, used: [box(0, 0, 9, 9)], controls: [] })).toEqual({
      top: 16,
      right: 16,
    });
  });
});
