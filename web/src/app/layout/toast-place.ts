// Where toasts are: at the right, below what is the head there. Only if they would cover what was just used, they are at the
// foot of the screen.

export type Box = { left: number; top: number; right: number; bottom: number };
type Size = { width: number; height: number };

export type Surroundings = {
  viewport: Size;
  toasts: Size;
  /** The controls that were just used. */
  used: Box[];
  /** Where the head of the page ends. */
  head: number;
  /** Where the bar at the foot of the screen begins, if there is one. */
  foot: number;
  /** The dialog that is open, and where its own head ends. */
  dialog?: Box & { head: number };
};

const MARGIN_PX = 16;
const GAP_PX = 8;

/** The distances from the top and from the right edge. */
export function placeToasts({ viewport, toasts, used, head, foot, dialog }: Surroundings): {
  top: number;
  right: number;
} {
  const boxAt = (top: number, right: number): Box => ({
    left: viewport.width - right - toasts.width,
    top,
    right: viewport.width - right,
    bottom: top + toasts.height,
  });
  const isOn = (place: Box, other: Box) => overlaps(place, other, GAP_PX);
  let right = MARGIN_PX;
  let top = Math.max(head + GAP_PX, MARGIN_PX);
  if (dialog) {
    const isBesides = viewport.width - dialog.left + MARGIN_PX;
    const title = { ...dialog, bottom: dialog.head };
    // Beside a panel at the right where there is room for them, else below its title.
    if (dialog.right > viewport.width - MARGIN_PX && dialog.left > toasts.width + 2 * MARGIN_PX) right = isBesides;
    else if (isOn(boxAt(top, right), title)) top = dialog.head + GAP_PX;
  }
  const bottom = foot - GAP_PX - toasts.height;
  const isCovering = used.some((one) => isOn(boxAt(top, right), one));
  return { top: isCovering && bottom > top ? bottom : top, right };
}

export const overlaps = (one: Box, other: Box, gap = 0): boolean =>
  one.left < other.right + gap &&
  other.left < one.right + gap &&
  one.top < other.bottom + gap &&
  other.top < one.bottom + gap;
