// Computes the position of the toasts: top right, moved as little as needed so that they never cover the control that was
// just used, and cover as few others as possible.

export type Box = { left: number; top: number; right: number; bottom: number };
type Size = { width: number; height: number };

type Surroundings = {
  viewport: Size;
  toasts: Size;
  /** The controls that were just used: these are never covered while there is room elsewhere. */
  used: Box[];
  /** Every control in view. */
  controls: Box[];
};

const MARGIN_PX = 16;
const GAP_PX = 8;
const STEP_PX = 8;
/** Toasts move up to this distance rather than cover one more control. */
const WORTH_OF_CONTROL_PX = 400;
const WORTH_OF_USED_CONTROL_PX = 100_000;

/** The distances from the top and from the right edge. */
export function placeToasts({ viewport, toasts, used, controls }: Surroundings): { top: number; right: number } {
  const room = {
    down: Math.max(0, viewport.height - toasts.height - 2 * MARGIN_PX),
    left: Math.max(0, viewport.width - toasts.width - 2 * MARGIN_PX),
  };
  let best = { top: MARGIN_PX, right: MARGIN_PX, cost: Number.POSITIVE_INFINITY };
  // Nearest first: no place farther away than the best cost so far can be better.
  for (let down = 0; down <= room.down && down < best.cost; down += STEP_PX) {
    for (let left = 0; left <= room.left && down + left < best.cost; left += STEP_PX) {
      const right = viewport.width - MARGIN_PX - left;
      const box = {
        left: right - toasts.width - GAP_PX,
        top: MARGIN_PX + down - GAP_PX,
        right: right + GAP_PX,
        bottom: MARGIN_PX + down + toasts.height + GAP_PX,
      };
      const cost =
        down +
        left +
        WORTH_OF_CONTROL_PX * countCovered(box, controls) +
        WORTH_OF_USED_CONTROL_PX * countCovered(box, used);
      if (cost < best.cost) best = { top: MARGIN_PX + down, right: MARGIN_PX + left, cost };
    }
  }
  return { top: best.top, right: best.right };
}

export const overlaps = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

const countCovered = (box: Box, controls: Box[]) => controls.filter((control) => overlaps(box, control)).length;
