// The main image with zoom: by hovering with a mouse, by tap and drag on a touch screen, by Enter and arrow keys (Escape
// leaves).
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { useBackCloses } from '~/lib/router/layers';
import { type ImageSource, srcSet } from '~/shared/product/images/image-url';
import { ImagePlaceholder, useImage } from '~/shared/product/images/product-image';
import { Icon } from '~/ui/graphics/more-icons';
import { PRODUCT_SIZES, PRODUCT_WIDTHS } from './gallery-sizes';

const SCALE = 2.4;
const STEP = 12;
const CENTRE = { x: 50, y: 50 };

type Props = {
  source: ImageSource;
  name: string;
  eager: boolean;
  /** The picture is in view. */
  active: boolean;
};

export function ZoomImage({ source, name, eager, active }: Props) {
  const { isShown, loadHandlers } = useImage(source.file ?? '');
  const [zoomed, setZoomed] = useState(false);
  const [byMouse, setByMouse] = useState(false);
  const [at, setAt] = useState(CENTRE);
  const [everZoomed, setEverZoomed] = useState(false);

  const enter = (how: 'mouse' | 'press') => {
    setEverZoomed(true);
    setZoomed(true);
    setByMouse(how === 'mouse');
  };
  const leave = () => {
    setZoomed(false);
    setAt(CENTRE);
  };
  if (zoomed && !active) leave();
  useBackCloses(zoomed && !byMouse, leave);
  const follow = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    setAt({
      x: clamp(((event.clientX - box.left) / box.width) * 100),
      y: clamp(((event.clientY - box.top) / box.height) * 100),
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && zoomed) return leave();
    const move = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!move || !zoomed) return;
    event.preventDefault();
    setAt(({ x, y }) => ({ x: clamp(x + (move[0] ?? 0)), y: clamp(y + (move[1] ?? 0)) }));
  };

  if (!isShown) {
    return <ImagePlaceholder name={name} alt={name} className="aspect-square w-full rounded-xl shadow-card" />;
  }
  return (
    <button
      type="button"
      aria-pressed={zoomed}
      aria-label={`Zoom: ${source.alt}`}
      onKeyDown={onKeyDown}
      onBlur={leave}
      onClick={(event) => {
        // A mouse zooms by hovering; its click carries a pointer type, a key's does not.
        if ((event.nativeEvent as unknown as globalThis.PointerEvent).pointerType === 'mouse') return;
        if (zoomed) leave();
        else enter('press');
      }}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') enter('mouse');
      }}
      onPointerLeave={(event) => {
        if (event.pointerType === 'mouse') leave();
      }}
      onPointerMove={(event) => {
        if (zoomed) follow(event);
      }}
      className={`group relative block aspect-square w-full overflow-hidden max-md:max-h-[38svh] rounded-xl shadow-card ${zoomed ? 'cursor-zoom-out touch-none' : 'cursor-zoom-in'}`}
      style={{ backgroundColor: source.colour }}
    >
      <img
        src={source.url(960)}
        {...loadHandlers}
        srcSet={srcSet(source, everZoomed ? [1920, 2560] : PRODUCT_WIDTHS) || undefined}
        sizes={everZoomed ? '200vw' : PRODUCT_SIZES}
        width={source.width}
        height={source.height}
        alt={source.alt}
        fetchPriority={eager ? 'high' : 'auto'}
        draggable={false}
        className="h-full w-full object-cover transition-transform duration-200 ease-out"
        style={{ transform: zoomed ? `scale(${SCALE})` : undefined, transformOrigin: `${at.x}% ${at.y}%` }}
      />
      <span
        className={`zoom-mark absolute right-4 bottom-4 grid size-11 place-items-center rounded-full bg-raised text-ink shadow-card transition ${zoomed ? 'opacity-0' : ''}`}
      >
        <Icon name="zoom" className="size-5" />
      </span>
    </button>
  );
}

function clamp(value: number): number {
  return Math.min(100, Math.max(0, value));
}
