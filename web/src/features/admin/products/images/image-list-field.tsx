// The images of a product, in the order in which customers see them. New ones are dropped here, chosen from earlier
// uploads, or entered as a file name or URL.
import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ImageHosts } from '~/shared/product/images/image-hosts';
import { Button } from '~/ui/button';
import { Field } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';
import { DropZone } from './drop-zone';
import { imageProblem } from './image-problem';
import { ImageRow } from './image-row';
import { UploadProgress } from './upload-list';
import { uploadFiles, useUploads } from './uploads';

type Props = {
  images: string[];
  /** What each file shows. */
  alts: Record<string, string>;
  /** Of the pictures that the product has already. */
  sizes: { file: string; width: number; height: number }[];
  name: string;
  error?: string;
  onChange: (change: (images: string[]) => string[]) => void;
  onAlt: (file: string, alt: string) => void;
};

export function ImageListField({ images, alts, sizes, name, error, onChange, onAlt }: Props) {
  const hosts = useContext(ImageHosts);
  const uploads = useUploads();
  const [typed, setTyped] = useState('');
  const loose = uploads.filter(({ state, stored }) => state === 'stored' && !images.includes(stored));
  const underWay = uploads.filter(({ state }) => state !== 'stored');

  // A file that is listed twice is one picture.
  const shown = [...new Set(images)];
  const [dragged, setDragged] = useDragging((file, to) => onChange((now) => moved(now, file, now.indexOf(to))));

  // A button that is pressed moves with its picture, and keeps the focus.
  const list = useRef<HTMLOListElement>(null);
  const [lastMove, setMoved] = useState<{ file: string; by: -1 | 1 } | null>(null);
  useEffect(() => {
    if (!lastMove) return;
    const row = list.current?.querySelector(`[data-picture="${CSS.escape(lastMove.file)}"]`);
    const button = (by: number) => row?.querySelector<HTMLButtonElement>(`[data-move="${by}"]:not(:disabled)`);
    (button(lastMove.by) ?? button(-lastMove.by))?.focus();
    setMoved(null);
  }, [lastMove]);

  // Uploads end later, when the list may have changed.
  const attach = (files: string[]) => onChange((now) => [...now, ...files.filter((file) => !now.includes(file))]);
  const addTyped = () => {
    if (!typed.trim()) return;
    attach([typed.trim()]);
    setTyped('');
  };
  return (
    <div>
      {shown.length > 1 && (
        <p className="mb-2 text-sm text-ink-soft">
          Customers see the pictures in this order. Drag them, or use the arrows.
        </p>
      )}
      {shown.length > 0 && (
        <ol ref={list} aria-label="Pictures" className="mb-3 grid gap-2 sm:grid-cols-2">
          {shown.map((file, index) => (
            <ImageRow
              key={file}
              file={file}
              alt={alts[file] ?? ''}
              size={sizes.find((each) => each.file === file)}
              name={name}
              place={index + 1}
              isLast={index === shown.length - 1}
              isDragged={file === dragged}
              onAlt={(alt) => onAlt(file, alt)}
              onGrab={(event) => {
                // Otherwise the mouse selects text.
                event.preventDefault();
                setDragged(file);
              }}
              onMove={(by) => {
                onChange((now) => moved(now, file, now.indexOf(file) + by));
                setMoved({ file, by });
              }}
              onRemove={() => onChange((now) => now.filter((each) => each !== file))}
            />
          ))}
        </ol>
      )}
      {error && <p className="mb-2 text-sm text-chilli">{error}</p>}
      <DropZone compact onFiles={(files) => void uploadFiles(files).then(attach)} />
      {underWay.length > 0 && (
        <ul aria-label="Uploads" className="mt-2 space-y-2">
          {underWay.map((upload) => (
            <li key={upload.key} className="text-sm break-all">
              {upload.name}
              <UploadProgress upload={upload} />
            </li>
          ))}
        </ul>
      )}
      {loose.length > 0 && (
        <p className="mt-3 flex flex-wrap items-center gap-2 text-sm text-ink-soft">
          Uploaded before:
          {loose.map(({ key, stored }) => (
            <Button key={key} variant="ghost" size="sm" className="!px-3 !text-sm" onClick={() => attach([stored])}>
              <Icon name="plus" className="size-4" />
              {stored}
            </Button>
          ))}
        </p>
      )}
      <div className="mt-3 flex items-start gap-2">
        <Field
          className="flex-1"
          label="File name or address of a picture"
          hint={
            imageProblem(typed.trim(), hosts) ||
            (hosts.length > 0
              ? `A picture that was uploaded before, or one on ${hosts.join(', ')}`
              : 'A picture that was uploaded before. Pictures on other sites are not shown in this shop')
          }
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            addTyped();
          }}
        />
        <Button variant="secondary" size="sm" className="mt-7.5" disabled={!typed.trim()} onClick={addTyped}>
          Add
        </Button>
      </div>
    </div>
  );
}

/** Puts the picture in another place. */
function moved(list: string[], file: string, to: number): string[] {
  const next = list.filter((each) => each !== file);
  next.splice(to, 0, file);
  return next;
}

/** Drags a picture over the others: it takes the place of the one below the pointer. Returns the file that is dragged. */
function useDragging(onMove: (file: string, to: string) => void) {
  const [dragged, setDragged] = useState<string | null>(null);
  const move = useEffectEvent((event: PointerEvent) => {
    const below = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-picture]');
    const to = below?.dataset.picture;
    if (dragged !== null && to !== undefined && to !== dragged) onMove(dragged, to);
  });
  useEffect(() => {
    if (dragged === null) return;
    const onPointer = (event: PointerEvent) => move(event);
    const end = () => setDragged(null);
    // On the window: the row itself moves in the document meanwhile.
    window.addEventListener('pointermove', onPointer);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
    return () => {
      window.removeEventListener('pointermove', onPointer);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
    };
  }, [dragged]);
  return [dragged, setDragged] as const;
}
