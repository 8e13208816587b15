// The drop zone for images. Any file may be uploaded, the server checks each; files whose type is not an image are marked
// while they are dragged over the zone.
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '~/ui/graphics/icons';
import { AdminIcon } from '../../console/admin-icon';

type DragState = 'idle' | 'drag-active' | 'accept' | 'reject';

/** When the file picker is cancelled, the only event is the window's focus; chosen files arrive a little later than it. */
const CANCEL_CHECK_MS = 300;

const stateClasses: Record<DragState, string> = {
  idle: 'border-line-strong bg-surface hover:border-ink-soft hover:bg-raised',
  'drag-active': 'border-turmeric bg-turmeric-wash',
  accept: 'border-cardamom bg-cardamom-wash',
  reject: 'border-chilli bg-chilli-wash',
};

const stateLabels: Record<DragState, string> = {
  idle: 'Drag & drop images here, or click to select files',
  'drag-active': 'Drop the files here',
  accept: 'Drop the images here',
  reject: 'Not all of these are images',
};

export function DropZone({ onFiles, compact }: { onFiles: (files: File[]) => void; compact?: boolean }) {
  const [state, setState] = useState<DragState>('idle');
  const [choosing, setChoosing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const depth = useRef(0);
  const hintId = useId();
  usePreventStrayDrops();
  useCancelCheck(choosing, () => setChoosing(false));

  const over = (event: DragEvent, step: 0 | 1 | -1) => {
    event.preventDefault();
    // Moving onto a child leaves the zone and enters it again: only leaving the outermost element counts.
    depth.current += step;
    setState(depth.current > 0 ? dragState(event.dataTransfer) : 'idle');
  };
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(files);
  };
  return (
    <div>
      <button
        type="button"
        data-state={state}
        aria-describedby={hintId}
        onClick={() => {
          setChoosing(true);
          input.current?.click();
        }}
        onDragEnter={(event) => over(event, 1)}
        onDragOver={(event) => over(event, 0)}
        onDragLeave={(event) => over(event, -1)}
        onDrop={(event) => {
          event.preventDefault();
          depth.current = 0;
          setState('idle');
          take(event.dataTransfer.files);
        }}
        className={`flex w-full flex-col items-center justify-center gap-1.5 rounded-lg border-2 border-dashed px-4 text-center transition ${compact ? 'py-5' : 'py-7'} ${stateClasses[state]}`}
      >
        {state === 'reject' ? (
          <Icon name="alert" className="size-7 text-chilli" />
        ) : (
          <AdminIcon name="upload" className="size-7 text-ink-soft" />
        )}
        <span className="font-semibold">{stateLabels[state]}</span>
        <span id={hintId} className="text-sm text-ink-soft">
          {choosing ? 'Choosing files…' : 'Up to 20 MB each; where they were taken is not kept'}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Images"
        onChange={(event) => {
          setChoosing(false);
          take(event.target.files);
          event.target.value = '';
        }}
      />
    </div>
  );
}

/** Before the drop a browser gives only kinds and types, and some browsers not even those. */
export function dragState({ items }: { items: ArrayLike<{ kind: string; type: string }> }): DragState {
  const all = Array.from(items);
  if (all.length === 0) return 'drag-active';
  if (all.some(({ kind, type }) => kind !== 'file' || (type !== '' && !type.startsWith('image/')))) return 'reject';
  return all.every(({ type }) => type !== '') ? 'accept' : 'drag-active';
}

/** The browser would open a file that is dropped beside the zone, in place of the page. */
function usePreventStrayDrops() {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault();
    document.addEventListener('dragover', prevent);
    document.addEventListener('drop', prevent);
    return () => {
      document.removeEventListener('dragover', prevent);
      document.removeEventListener('drop', prevent);
    };
  }, []);
}

function useCancelCheck(choosing: boolean, onCancel: () => void) {
  const cancel = useRef(onCancel);
  cancel.current = onCancel;
  useEffect(() => {
    if (!choosing) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      timer = setTimeout(() => cancel.current(), CANCEL_CHECK_MS);
    };
    window.addEventListener('focus', check);
    return () => {
      window.removeEventListener('focus', check);
      clearTimeout(timer);
    };
  }, [choosing]);
}
