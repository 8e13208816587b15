// URLs of images. The server renders each image in a fixed list of widths, in a format that the browser accepts.
import type { Image, Product } from '~/api/types';
import { isImageUrl } from './image-hosts';

export const IMAGE_WIDTHS = [64, 160, 320, 384, 480, 640, 768, 960, 1280, 1920, 2560, 3200] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];

export type ImageSource = {
  /** A product's image as it was saved: the name of a file, or a URL. */
  file?: string;
  url: (width: ImageWidth) => string;
  alt: string;
  width: number;
  height: number;
  colour: string;
};

const FALLBACK_SIDE = 1600;

export function productImageUrl(file: string, width: ImageWidth, version = ''): string {
  if (isImageUrl(file)) return file;
  return `/images/products/${encodeURIComponent(file)}?w=${width}${version ? `&v=${encodeURIComponent(version)}` : ''}`;
}

export function siteImageUrl(file: string, width: ImageWidth): string {
  return `/images/site/${encodeURIComponent(file)}?w=${width}`;
}

export function productImage(product: Product, index: number): ImageSource {
  const detail = product.image_details[index];
  const file = product.images[index] ?? '';
  return fromDetail(file, detail, product.product_name);
}

/**
 * The 'lifestyle shot' where there is one, else the first: the rule of the product list. An upload's name has dashes
 * for its spaces, and a URL may have `%20` or `+`.
 */
export function lifestyleImageIndex(product: Pick<Product, 'images'>): number {
  const words = (file: string) => file.toLowerCase().replace(/(?:[\s_+-]|%20)+/g, ' ');
  return Math.max(
    product.images.findIndex((file) => words(file).includes('lifestyle shot')),
    0,
  );
}

/** For an image of which only the file is known. */
export const fileImage = (file: string, colour = ''): ImageSource =>
  fromDetail(file, { file, colour, alt: '', width: 0, height: 0, version: '' }, '');

function fromDetail(file: string, detail: Image | undefined, name: string): ImageSource {
  return {
    file,
    url: (width) => productImageUrl(file, width, detail?.version),
    alt: detail?.alt || name,
    width: detail?.width || FALLBACK_SIDE,
    height: detail?.height || FALLBACK_SIDE,
    colour: detail?.colour || 'var(--paper-deep)',
  };
}

export function siteImage(file: string, alt: string, width: number, height: number, colour: string): ImageSource {
  return { url: (wide) => siteImageUrl(file, wide), alt, width, height, colour };
}

/** Empty for a URL: other hosts have it in one size. */
export function srcSet(source: ImageSource, widths: readonly ImageWidth[]): string {
  if (isImageUrl(source.file ?? '')) return '';
  return widths.map((width) => `${source.url(width)} ${width}w`).join(', ');
}
