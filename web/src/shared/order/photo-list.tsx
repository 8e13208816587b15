// Photos of a problem or a review as small pictures; a press enlarges one. Arrow keys show the others.
import { useEffect, useEffectEvent, useState } from 'react';
import { IconButton } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { Icon } from '~/ui/graphics/icons';

type Props = {
  images: string[];
  /** Where the server makes small pictures of them. */
  thumbnailWidth?: number;
};

export function PhotoList({ images, thumbnailWidth }: Props) {
  const [shown, setShown] = useState<number | null>(null);
  if (images.length === 0) return null;
  return (
    <>
      <ul aria-label="Photos" className="flex flex-wrap gap-2.5">
        {images.map((image, at) => (
          <li key={image}>
            <button
              type="button"
              aria-label={`Enlarge photo ${at + 1} of ${images.length}`}
              onClick={() => setShown(at)}
              className="block size-20 overflow-hidden rounded-md border border-line bg-paper-deep transition hover:shadow-lift sm:size-24"
            >
              <img
                src={thumbnailWidth ? `${image}?w=${thumbnailWidth}` : image}
                alt=""
                loading="lazy"
                className="size-full object-cover transition hover:scale-105"
              />
            </button>
          </li>
        ))}
      </ul>
      <Viewer images={images} at={shown} onShow={setShown} />
    </>
  );
}

type ViewerProps = { images: string[]; at: number | null; onShow: (at: number | null) => void };

function Viewer({ images, at, onShow }: ViewerProps) {
  const count = images.length;
  const current = at ?? 0;
  const step = (by: 1 | -1) => onShow((current + by + count) % count);
  const onKeyDown = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') step(1);
    else if (key === 'ArrowLeft') step(-1);
  });
  const isOpen = at !== null;
  useEffect(() => {
    if (!isOpen) return;
    // Wherever the focus is in the dialog.
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOpen]);
  return (
    <Dialog
      open={isOpen}
      onClose={() => onShow(null)}
      title={count > 1 ? `Photo ${current + 1} of ${count}` : 'Photo'}
      width="60rem"
    >
      <div className="mt-4">
        <img
          src={images[current]}
          alt={`The customer's, ${current + 1} of ${count}`}
          className="mx-auto max-h-[70dvh] rounded-md bg-paper-deep object-contain"
        />
        {count > 1 && (
          <p className="mt-3 flex justify-center gap-3">
            <IconButton label="Previous photo" onClick={() => step(-1)}>
              <Icon name="left" />
            </IconButton>
            <IconButton label="Next photo" onClick={() => step(1)}>
              <Icon name="right" />
            </IconButton>
          </p>
        )}
      </div>
    </Dialog>
  );
}
