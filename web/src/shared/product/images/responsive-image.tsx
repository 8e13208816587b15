// An image that causes no layout shift: its box and its colour are there before it is loaded.
import type { ImgHTMLAttributes, Ref } from 'react';
import { type ImageSource, type ImageWidth, srcSet } from './image-url';

type Props = {
  source: ImageSource;
  sizes: string;
  widths?: readonly ImageWidth[];
  eager?: boolean;
  className?: string;
  /** Empty where the text beside it already says what it shows. */
  alt?: string;
  /** Called when it does not load. */
  onError?: ImgHTMLAttributes<HTMLImageElement>['onError'];
  ref?: Ref<HTMLImageElement>;
};

const DEFAULT_WIDTHS = [320, 480, 640, 960, 1280] as const;

export function ResponsiveImage({
  source,
  sizes,
  widths = DEFAULT_WIDTHS,
  eager,
  className,
  alt = source.alt,
  ...watch
}: Props) {
  return (
    <img
      src={source.url(widths[Math.floor(widths.length / 2)] ?? 640)}
      srcSet={srcSet(source, widths) || undefined}
      sizes={sizes}
      width={source.width}
      height={source.height}
      alt={alt}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding="async"
      draggable={false}
      className={className}
      style={{ backgroundColor: source.colour }}
      {...watch}
    />
  );
}
