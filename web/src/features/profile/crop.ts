// The square that is cut out of a picture: where it lies, and how far it may move. Pure numbers; the canvas is in
// crop-dialog.tsx.

export type Size = { width: number; height: number };
/** `zoom` 1 shows the whole short side; `x` and `y` are the square's centre in pixels of the picture. */
export type Crop = { zoom: number; x: number; y: number };

export const MAX_ZOOM = 4;

export function centred({ width, height }: Size): Crop {
  return { zoom: 1, x: width / 2, y: height / 2 };
}

export function sideOf(picture: Size, zoom: number): number {
  return Math.min(picture.width, picture.height) / zoom;
}

/** The nearest crop that stays inside the picture. */
export function clamp(picture: Size, crop: Crop): Crop {
  const zoom = between(1, crop.zoom, MAX_ZOOM);
  const half = sideOf(picture, zoom) / 2;
  return { zoom, x: between(half, crop.x, picture.width - half), y: between(half, crop.y, picture.height - half) };
}

/** The part of the picture that is kept, in its own pixels. */
export function sourceSquare(picture: Size, crop: Crop): { x: number; y: number; side: number } {
  const { zoom, x, y } = clamp(picture, crop);
  const side = sideOf(picture, zoom);
  return { x: x - side / 2, y: y - side / 2, side };
}

/** Dragged by so many pixels of a frame of `frame` pixels: the picture follows the finger. */
export function dragged(picture: Size, crop: Crop, dx: number, dy: number, frame: number): Crop {
  const scale = sideOf(picture, crop.zoom) / frame;
  return clamp(picture, { ...crop, x: crop.x - dx * scale, y: crop.y - dy * scale });
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
