// Addresses of pictures. The program makes each in a fixed list of widths and in the format the browser accepts.
import type { ImageDetail, Product } from '~/api/types';
import { isImageUrl } from './image-hosts';

export const PICTURE_WIDTHS = [64, 160, 320, 384, 480, 640, 768, 960, 1280, 1920, 2560, 3200] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

export type PictureSource = {
  /** A product's image as it was saved: the name of a file, or a URL. */
  file?: string;
  url: (width: PictureWidth) => string;
  alt: string;
  width: number;
  height: number;
  colour: string;
};

const FALLBACK_SIDE = 1600;

export function productPictureUrl(file: string, width: PictureWidth, version = ''): string {
  if (isImageUrl(file)) return file;
  return `/images/products/${encodeURIComponent(file)}?w=${width}${version ? `&v=${encodeURIComponent(version)}` : ''}`;
}

export function sitePictureUrl(file: string, width: PictureWidth): string {
  return `/images/site/${encodeURIComponent(file)}?w=${width}`;
}

export function productPicture(product: Product, index: number): PictureSource {
  const detail = product.image_details[index];
  const file = product.images[index] ?? '';
  return fromDetail(file, detail, product.product_name);
}

/**
 * The 'lifestyle shot' where there is one, else the first: the rule of the product list. An upload's name has dashes
 * for its spaces, and a URL may have `%20` or `+`.
 */
export function lifestyleIndex(product: Pick<Product, 'images'>): number {
  const words = (file: string) => file.toLowerCase().replace(/(?:[\s_+-]|%20)+/g, ' ');
  return Math.max(
    product.images.findIndex((file) => words(file).includes('lifestyle shot')),
    0,
  );
}

/** Where no more is known of an image than its file. */
export const fileImage = (file: string, colour = ''): PictureSource =>
  fromDetail(file, { file, colour, alt: '', width: 0, height: 0, version: '' }, '');

function fromDetail(file: string, detail: ImageDetail | undefined, name: string): PictureSource {
  return {
    file,
    url: (width) => productPictureUrl(file, width, detail?.version),
    alt: detail?.alt || name,
    width: detail?.width || FALLBACK_SIDE,
    height: detail?.height || FALLBACK_SIDE,
    colour: detail?.colour || 'var(--paper-deep)',
  };
}

export function sitePicture(file: string, alt: string, width: number, height: number, colour: string): PictureSource {
  return { url: (wide) => sitePictureUrl(file, wide), alt, width, height, colour };
}

/** Empty for a URL: other hosts have it in one size. */
export function srcSet(source: PictureSource, widths: readonly PictureWidth[]): string {
  if (isImageUrl(source.file ?? '')) return '';
  return widths.map((width) => `${source.url(width)} ${width}w`).join(', ');
}
