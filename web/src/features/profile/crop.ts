// The square that is cropped from an image: where it is, and how far it may move. Pure numbers; the canvas is in
// crop-dialog.tsx.

export type Size = { width: number; height: number };
/** `zoom` 1 shows the whole short side; `x` and `y` are the square's centre in pixels of the image. */
export type Crop = { zoom: number; x: number; y: number };

export const MAX_ZOOM = 4;

export function centred({ width, height }: Size): Crop {
  return { zoom: 1, x: width / 2, y: height / 2 };
}

export function sideOf(image: Size, zoom: number): number {
  return Math.min(image.width, image.height) / zoom;
}

/** The nearest crop that stays inside the image. */
export function clamp(image: Size, crop: Crop): Crop {
  const zoom = between(1, crop.zoom, MAX_ZOOM);
  const half = sideOf(image, zoom) / 2;
  return { zoom, x: between(half, crop.x, image.width - half), y: between(half, crop.y, image.height - half) };
}

/** The part of the image that is cropped, in its own pixels. */
export function sourceSquare(image: Size, crop: Crop): { x: number; y: number; side: number } {
  const { zoom, x, y } = clamp(image, crop);
  const side = sideOf(image, zoom);
  return { x: x - side / 2, y: y - side / 2, side };
}

/** Moves the crop by `dx` and `dy` pixels of a frame that is `frame` pixels wide. */
export function dragged(image: Size, crop: Crop, dx: number, dy: number, frame: number): Crop {
  const scale = sideOf(image, crop.zoom) / frame;
  return clamp(image, { ...crop, x: crop.x - dx * scale, y: crop.y - dy * scale });
}

function between(min: number, value: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
