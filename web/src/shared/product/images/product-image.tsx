// An image of a product, or the placeholder where there is none: no file, a host that may not be shown, or an image
// that does not load. Both have the same box, so that nothing moves.
import { type ComponentProps, useContext, useState } from 'react';
import { RangoliSun } from '~/ui/graphics/rangoli';
import { canShowImage, ImageHosts } from './image-hosts';
import { ResponsiveImage } from './responsive-image';

type Props = Omit<ComponentProps<typeof ResponsiveImage>, 'onError' | 'ref'> & {
  /** Of the product. */
  name: string;
  onFail?: () => void;
};

export function ProductImage({ name, onFail, ...image }: Props) {
  const { isShown, loadHandlers } = useImage(image.source.file ?? '', onFail);
  const { source, alt = source.alt, className } = image;
  if (!isShown) return <ImagePlaceholder name={name} alt={alt} className={className} />;
  return <ResponsiveImage {...image} {...loadHandlers} />;
}

/** Whether an image can be shown, and what its `img` needs so that a failure is noticed. */
export function useImage(file: string, onFail?: () => void) {
  const hosts = useContext(ImageHosts);
  const [failed, setFailed] = useState('');
  const fail = () => {
    setFailed(file);
    onFail?.();
  };
  return {
    isShown: canShowImage(file, hosts) && failed !== file,
    loadHandlers: {
      onError: fail,
      // The image of a server-rendered page may have failed before hydration.
      ref: (image: HTMLImageElement | null) => {
        if (failed !== file && image?.complete && image.currentSrc && image.naturalWidth === 0) fail();
      },
    },
  };
}

type PlaceholderProps = { name: string; alt?: string; className?: string };

/** The arch of the label with the product's initial. */
export function ImagePlaceholder({ name, alt = '', className = '' }: PlaceholderProps) {
  const said = alt ? ({ role: 'img', 'aria-label': `${name}: no image yet` } as const) : { 'aria-hidden': true };
  return (
    <span {...said} data-image="none" className={`no-image ${className}`}>
      <span className="buta" />
      <span className="arch">
        <RangoliSun />
        <b>{[...name.trim()][0]?.toUpperCase()}</b>
      </span>
    </span>
  );
}
