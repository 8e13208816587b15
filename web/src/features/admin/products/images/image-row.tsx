// One picture of a product in the form: its place, its text, what is wrong with it.
import { type PointerEventHandler, useContext, useId, useState } from 'react';
import { ImageHosts } from '~/shared/product/images/image-hosts';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { IconButton } from '~/ui/button';
import { Field } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminIcon } from '../../console/admin-icon';
import { imageProblem } from './image-problem';
import { useTinyText } from './tiny-image';

type Props = {
  file: string;
  /** What it shows, for those who cannot see it. */
  alt: string;
  /** As the server has stored it. */
  size: { width: number; height: number } | undefined;
  /** Of the product. */
  name: string;
  /** From 1. */
  place: number;
  isLast: boolean;
  isDragged: boolean;
  onAlt: (alt: string) => void;
  onGrab: PointerEventHandler;
  /** By one place, to the left or to the right. */
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

export function ImageRow(props: Props) {
  const { file, alt, size, name, place, isLast, isDragged, onAlt, onGrab, onMove, onRemove } = props;
  const id = useId();
  const hosts = useContext(ImageHosts);
  const [failed, setFailed] = useState(false);
  const hidden = imageProblem(file, hosts);
  const tiny = useTinyText(file, size, hidden === '');
  const problem = hidden || (failed ? 'This picture could not be loaded. Customers see a placeholder.' : tiny);
  return (
    <li
      data-picture={file}
      aria-describedby={problem ? id : undefined}
      className={`flex flex-wrap items-center gap-2 rounded-md border bg-raised p-2 transition-shadow ${problem ? 'border-chilli' : 'border-line'} ${isDragged ? 'opacity-70 shadow-lift outline-2 outline-chilli' : ''}`}
    >
      {/* The buttons do the same for the keyboard. */}
      <span
        aria-hidden="true"
        title="Drag to another place"
        onPointerDown={onGrab}
        className="grid min-h-14 cursor-grab touch-none place-items-center px-1 text-ink-soft select-none active:cursor-grabbing"
      >
        <AdminIcon name="grip" className="size-5" />
      </span>
      <ProductImage
        source={fileImage(file)}
        name={name}
        sizes="44px"
        widths={[160]}
        alt=""
        onFail={() => setFailed(true)}
        className="h-14 w-11 shrink-0 rounded-sm object-cover"
      />
      <span className="min-w-0 flex-1 basis-36 text-sm [overflow-wrap:anywhere]">
        {file}
        {place === 1 && <span className="block font-semibold text-cardamom">First picture</span>}
      </span>
      <span className="ml-auto flex">
        <IconButton label={`Move ${file} left`} data-move={-1} disabled={place === 1} onClick={() => onMove(-1)}>
          <Icon name="left" className="size-4.5" />
        </IconButton>
        <IconButton label={`Move ${file} right`} data-move={1} disabled={isLast} onClick={() => onMove(1)}>
          <Icon name="right" className="size-4.5" />
        </IconButton>
        <IconButton label={`Remove ${file}`} onClick={onRemove}>
          <Icon name="close" className="size-4.5" />
        </IconButton>
      </span>
      <Field
        className="w-full"
        label={`What picture ${place} shows`}
        placeholder={name || 'Name of the product'}
        maxLength={300}
        value={alt}
        onChange={(event) => onAlt(event.target.value)}
      />
      <p role="status" id={id} className="w-full text-sm font-semibold text-chilli empty:hidden">
        {problem}
      </p>
    </li>
  );
}
