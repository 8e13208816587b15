// The photos of a report or a review: from the camera or from files, each with a preview and a way to remove it.
import { useEffect, useId, useRef, useState } from 'react';
import { Button, IconButton } from '~/ui/button';
import { Icon, IconFrame } from '~/ui/graphics/icons';
import { addPhotos, PHOTO_TYPES } from './photos';

type Props = {
  photos: readonly File[];
  max: number;
  hint: string;
  disabled: boolean;
  error?: string;
  /** `error`: why some of the chosen files are not among the photos. */
  onChange: (photos: readonly File[], error: string) => void;
};

const CAMERA =
  'M4 8.500h3.500L9 6h6l1.500 2.500H20a.500.500 0 0 1 .500.500v9.500a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1V9a.500.500 0 0 1 .500-.500zM12 16.500a3.300 3.300 0 1 0 0-6.600 3.300 3.300 0 0 0 0 6.600z';

export function PhotosField({ photos, max, hint, disabled, error, onChange }: Props) {
  const camera = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const noteId = useId();
  const isFull = photos.length >= max;

  const picker = (capture: boolean) => (
    <input
      ref={capture ? camera : files}
      type="file"
      accept={PHOTO_TYPES.join(',')}
      multiple={!capture}
      capture={capture ? 'environment' : undefined}
      hidden
      aria-label={capture ? 'Take a photo' : 'Photos'}
      onChange={({ target }) => {
        const added = addPhotos(photos, [...(target.files ?? [])], max);
        onChange(added.photos, added.error);
        target.value = '';
      }}
    />
  );

  return (
    <div role="group" aria-label="Photos" aria-describedby={noteId}>
      <p className="mb-1.5 text-[0.9375rem] font-semibold">Photos</p>
      {photos.length > 0 && (
        <ul className="mb-3 flex flex-wrap gap-3">
          {photos.map((photo, at) => (
            <li key={`${at} ${photo.name} ${photo.lastModified}`} className="relative">
              <Preview photo={photo} />
              <IconButton
                label={`Remove photo ${at + 1}, ${photo.name}`}
                disabled={disabled}
                className="!absolute -top-3 -right-3 border border-line !bg-raised shadow-card"
                onClick={() =>
                  onChange(
                    photos.filter((other) => other !== photo),
                    '',
                  )
                }
              >
                <Icon name="close" className="size-4.5" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {/* Only where there is a camera to hold: elsewhere it opens the same picker. */}
        <Button
          variant="secondary"
          size="sm"
          className="hidden !px-3.5 pointer-coarse:inline-flex"
          disabled={disabled || isFull}
          onClick={() => camera.current?.click()}
        >
          <IconFrame className="size-5">
            <path d={CAMERA} />
          </IconFrame>
          Take a photo
        </Button>
        <Button
          variant="secondary"
          size="sm"
          className="!px-3.5"
          disabled={disabled || isFull}
          onClick={() => files.current?.click()}
        >
          Choose photos
        </Button>
      </div>
      {picker(true)}
      {picker(false)}
      <p
        id={noteId}
        role={error ? 'alert' : undefined}
        className={`mt-1.5 text-sm ${error ? 'text-chilli' : 'text-ink-soft'}`}
      >
        {error || `Up to ${max}, 20 MB each. ${hint}`}
      </p>
    </div>
  );
}

function Preview({ photo }: { photo: File }) {
  const [url, setUrl] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(photo);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);
  return (
    <span className="block size-24 overflow-hidden rounded-md border border-line bg-paper-deep">
      {url && <img src={url} alt="" className="size-full object-cover" />}
    </span>
  );
}
