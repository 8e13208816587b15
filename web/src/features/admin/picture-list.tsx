// The pictures of a product, in the order in which shoppers see them. New ones are dropped here, picked from what was
// uploaded before, or named by address.
import { useState } from 'react';
import { Button, IconButton } from '~/ui/button';
import { Field } from '~/ui/field';
import { Icon } from '~/ui/icons';
import { productPictureUrl } from '~/ui/picture-url';
import { DropZone } from './drop-zone';
import { Glyph } from './glyph';
import { UploadProgress } from './upload-list';
import { sendFiles, useUploads } from './uploads';

type Props = { images: string[]; fault?: string; onChange: (change: (images: string[]) => string[]) => void };

export function PictureList({ images, fault, onChange }: Props) {
  const uploads = useUploads();
  const [typed, setTyped] = useState('');
  const loose = uploads.filter(({ state, stored }) => state === 'stored' && !images.includes(stored));
  const underWay = uploads.filter(({ state }) => state !== 'stored');

  // Uploads end later: they join whatever the list is by then.
  const attach = (files: string[]) => onChange((now) => [...now, ...files.filter((file) => !now.includes(file))]);
  const addTyped = () => {
    if (!typed.trim()) return;
    attach([typed.trim()]);
    setTyped('');
  };
  return (
    <div>
      {images.length > 0 && (
        <ol aria-label="Pictures" className="mb-3 grid gap-2 sm:grid-cols-2">
          {images.map((file, index) => (
            <li key={file + index} className="flex items-center gap-2 rounded-md border border-line bg-raised p-2">
              <img
                src={productPictureUrl(file, 160)}
                alt=""
                width={44}
                height={55}
                className="h-14 w-11 shrink-0 rounded-sm bg-paper-deep object-cover"
              />
              <span className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
                {file}
                {index === 0 && <span className="block font-semibold text-cardamom">First picture</span>}
              </span>
              <IconButton
                label={`Move ${file} forward`}
                disabled={index === 0}
                onClick={() => onChange((now) => swapped(now, index))}
              >
                <Glyph name="up" className="size-4.5" />
              </IconButton>
              <IconButton
                label={`Remove ${file}`}
                onClick={() => onChange((now) => now.filter((_, each) => each !== index))}
              >
                <Icon name="close" className="size-4.5" />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      {fault && <p className="mb-2 text-sm text-chilli">{fault}</p>}
      <DropZone compact onFiles={(files) => void sendFiles(files).then(attach)} />
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
            <Button key={key} look="quiet" size="sm" className="!px-3 !text-sm" onClick={() => attach([stored])}>
              <Icon name="plus" className="size-4" />
              {stored}
            </Button>
          ))}
        </p>
      )}
      <div className="mt-3 flex items-end gap-2">
        <Field
          className="flex-1"
          label="File name or address of a picture"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            addTyped();
          }}
        />
        <Button look="secondary" size="sm" className="mb-0.5" disabled={!typed.trim()} onClick={addTyped}>
          Add
        </Button>
      </div>
    </div>
  );
}

function swapped(list: string[], index: number): string[] {
  const next = [...list];
  const [moved] = next.splice(index, 1);
  if (moved !== undefined) next.splice(index - 1, 0, moved);
  return next;
}
