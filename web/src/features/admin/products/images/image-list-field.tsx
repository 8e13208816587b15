// The images of a product, in the order in which customers see them. New ones are dropped here, chosen from earlier
// uploads, or entered as a file name or URL.
import { useContext, useId, useState } from 'react';
import { ImageHosts } from '~/shared/product/images/image-hosts';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { Button, IconButton } from '~/ui/button';
import { Field } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminIcon } from '../../console/admin-icon';
import { DropZone } from './drop-zone';
import { imageProblem, SETTING } from './image-problem';
import { UploadProgress } from './upload-list';
import { uploadFiles, useUploads } from './uploads';

type Props = {
  images: string[];
  name: string;
  error?: string;
  onChange: (change: (images: string[]) => string[]) => void;
};

export function ImageListField({ images, name, error, onChange }: Props) {
  const hosts = useContext(ImageHosts);
  const uploads = useUploads();
  const [typed, setTyped] = useState('');
  const loose = uploads.filter(({ state, stored }) => state === 'stored' && !images.includes(stored));
  const underWay = uploads.filter(({ state }) => state !== 'stored');

  // Uploads end later, when the list may have changed.
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
            <ImageRow
              key={file + index}
              file={file}
              name={name}
              isFirst={index === 0}
              onForward={() => onChange((now) => swapped(now, index))}
              onRemove={() => onChange((now) => now.filter((_, each) => each !== index))}
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
            `Addresses are shown if their host is in ${SETTING} (now: ${hosts.join(', ') || 'none'})`
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

type RowProps = {
  file: string;
  /** Of the product. */
  name: string;
  isFirst: boolean;
  onForward: () => void;
  onRemove: () => void;
};

function ImageRow({ file, name, isFirst, onForward, onRemove }: RowProps) {
  const id = useId();
  const hosts = useContext(ImageHosts);
  const [failed, setFailed] = useState(false);
  const problem =
    imageProblem(file, hosts) || (failed ? 'This image could not be loaded. Customers see a placeholder.' : '');
  return (
    <li
      aria-describedby={problem ? id : undefined}
      className={`flex flex-wrap items-center gap-2 rounded-md border bg-raised p-2 ${problem ? 'border-chilli' : 'border-line'}`}
    >
      <ProductImage
        source={fileImage(file)}
        name={name}
        sizes="44px"
        widths={[160]}
        alt=""
        onFail={() => setFailed(true)}
        className="h-14 w-11 shrink-0 rounded-sm object-cover"
      />
      <span className="min-w-0 flex-1 text-sm [overflow-wrap:anywhere]">
        {file}
        {isFirst && <span className="block font-semibold text-cardamom">First picture</span>}
      </span>
      <IconButton label={`Move ${file} forward`} disabled={isFirst} onClick={onForward}>
        <AdminIcon name="up" className="size-4.5" />
      </IconButton>
      <IconButton label={`Remove ${file}`} onClick={onRemove}>
        <Icon name="close" className="size-4.5" />
      </IconButton>
      <p role="status" id={id} className="w-full text-sm font-semibold text-chilli empty:hidden">
        {problem}
      </p>
    </li>
  );
}

function swapped(list: string[], index: number): string[] {
  const next = [...list];
  const [moved] = next.splice(index, 1);
  if (moved !== undefined) next.splice(index - 1, 0, moved);
  return next;
}
