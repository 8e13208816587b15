import { expect, it } from 'vitest';
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
const onDesktop = { viewport: desktop, toasts, used: [], head: 104, foot: 892 };
const onPhone = { viewport: phone, toasts: { width: 358, height: 56 }, used: [], head: 121, foot: 762 };

it('is at the right, below the head of the page', () => {
  expect(placeToasts(onDesktop)).toEqual({ top: 112, right: 16 });
  expect(placeToasts(onPhone)).toEqual({ top: 129, right: 16 });
  expect(placeToasts({ ...onDesktop, head: 0 }), 'a page without one').toEqual({ top: 16, right: 16 });
});

it('is the same wherever one clicks, unless it would cover that: then above the bar at the foot', () => {
  for (let top = 0; top < phone.height; top += 8) {
    const used = box(300, top, 80, 44);
    const place = placeToasts({ ...onPhone, used: [used] });
    const isTop = place.top === 129;
    expect(isTop || place.top === 762 - 8 - 56).toBe(true);
    const shown = box(16, place.top, 358, 56);
    expect(overlaps(shown, used)).toBe(false);
    if (!isTop) expect(overlaps(box(16, 129, 358, 56), used, 8)).toBe(true);
  }
});

it('is beside a panel at the right where there is room, and below the title of one that fills the width', () => {
  const panel = { ...box(1040, 0, 400, 900), head: 68 };
  expect(placeToasts({ ...onDesktop, dialog: panel })).toEqual({ top: 112, right: 416 });
  const wide = { ...box(0, 0, 390, 844), head: 135 };
  expect(placeToasts({ ...onPhone, dialog: wide })).toEqual({ top: 143, right: 16 });
});

it('never covers the title of a dialog', () => {
  for (let top = 0; top < 400; top += 8) {
    const dialog = { ...box(16, top, 358, 500), head: top + 64 };
    const place = placeToasts({ ...onPhone, dialog });
    expect(overlaps(box(16, place.top, 358, 56), box(16, top, 358, 64)), `dialog at ${top}`).toBe(false);
  }
});

it('stays at the top when they fill the screen', () => {
  const many = { width: 358, height: 1200 };
  expect(placeToasts({ ...onPhone, toasts: many, used: [box(0, 130, 9, 9)] })).toEqual({ top: 129, right: 16 });
});
