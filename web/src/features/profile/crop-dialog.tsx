// Crops an image to the square of the profile picture. Dragging or arrow keys move it, the slider (or + and -) zooms. The
// result is drawn small and sent as a data: URL, so the large original never leaves the device.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { type Crop, centred, clamp, dragged, MAX_ZOOM, sourceSquare } from './crop';

const FRAME_PX = 288;
const OUTPUT_PX = 512;

/** How far a key moves the image, in pixels of the frame, and how much it zooms. */
const KEYS: Record<string, [dx: number, dy: number, zoom?: number]> = {
  ArrowLeft: [12, 0],
  ArrowRight: [-12, 0],
  ArrowUp: [0, 12],
  ArrowDown: [0, -12],
  '+': [0, 0, 0.1],
  '=': [0, 0, 0.1],
  '-': [0, 0, -0.1],
};

type Props = { image: ImageBitmap | null; busy: boolean; onSave: (dataUrl: string) => void; onClose: () => void };

export function CropDialog({ image, busy, onSave, onClose }: Props) {
  return (
    <Dialog open={image !== null} onClose={onClose} title="Crop your picture" width="24rem">
      {image && <Cropper image={image} busy={busy} onSave={onSave} onClose={onClose} />}
    </Dialog>
  );
}

function Cropper({ image, busy, onSave, onClose }: Props & { image: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [crop, setCrop] = useState<Crop>(() => centred(image));
  const pointer = useRef<{ x: number; y: number } | null>(null);

  useEffect(() => {
    if (canvas.current) draw(canvas.current, image, crop);
  }, [image, crop]);

  const move = (dx: number, dy: number) => setCrop((now) => dragged(image, now, dx, dy, FRAME_PX));
  const zoomTo = (zoom: number) => setCrop((now) => clamp(image, { ...now, zoom }));

  const onKeyDown = (event: KeyboardEvent) => {
    const [dx = 0, dy = 0, zoom = 0] = KEYS[event.key] ?? [];
    if (!dx && !dy && !zoom) return;
    event.preventDefault();
    if (zoom) zoomTo(crop.zoom + zoom);
    else move(dx, dy);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!pointer.current) return;
    move(event.clientX - pointer.current.x, event.clientY - pointer.current.y);
    pointer.current = { x: event.clientX, y: event.clientY };
  };
  const release = () => {
    pointer.current = null;
  };

  return (
    <div className="mt-5 flex flex-col items-center">
      <div
        role="application"
        aria-label="Picture. Arrow keys move it, plus and minus zoom."
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          pointer.current = { x: event.clientX, y: event.clientY };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={release}
        onPointerCancel={release}
        className="relative size-72 cursor-grab touch-none overflow-hidden rounded-lg bg-paper-deep active:cursor-grabbing"
      >
        <canvas ref={canvas} width={FRAME_PX * 2} height={FRAME_PX * 2} className="size-full" />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_9rem_var(--scrim)] ring-2 ring-on-kokum"
        />
      </div>
      <label className="mt-5 flex w-full items-center gap-4 font-semibold">
        Zoom
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => zoomTo(Number(event.target.value))}
          className="h-11 flex-1 accent-chilli-fill"
        />
      </label>
      <div className="mt-4 flex w-full justify-end gap-3">
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button busy={busy} onClick={() => onSave(cropToDataUrl(image, crop))}>
          Use this picture
        </Button>
      </div>
    </div>
  );
}

function draw(canvas: HTMLCanvasElement, image: ImageBitmap, crop: Crop): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { x, y, side } = sourceSquare(image, crop);
  // JPEG has no transparency: transparent pixels become white instead of black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, x, y, side, side, 0, 0, canvas.width, canvas.height);
}

function cropToDataUrl(image: ImageBitmap, crop: Crop): string {
  const canvas = document.createElement('canvas');
  canvas.width = OUTPUT_PX;
  canvas.height = OUTPUT_PX;
  draw(canvas, image, crop);
  return canvas.toDataURL('image/jpeg', 0.9);
}
