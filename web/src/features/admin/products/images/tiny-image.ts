// Warns of pictures that are smaller than the shop shows them.
import { useEffect, useState } from 'react';
import { productImageUrl } from '~/shared/product/images/image-url';

/** The longer side in pixels. The product page shows a picture as wide as this on a large screen. */
export const MIN_IMAGE_SIDE = 800;
/** The server makes no picture wider than it is. */
const MEASURED_WIDTH = 960;

type Size = { width: number; height: number };

export const tinyText = ({ width, height }: Size): string =>
  width > 0 && Math.max(width, height) < MIN_IMAGE_SIDE
    ? `Small picture: ${width} × ${height} pixels. It looks blurred in the shop; use one with at least ${MIN_IMAGE_SIDE} pixels on its longer side.`
    : '';

/**
 * `known`: the size that the server has stored, 0 for a picture that no product had before. Such a picture is measured if it
 * `canBeLoaded`; the browser reports an address that the content policy forbids.
 */
export function useTinyText(file: string, known: Size | undefined, canBeLoaded: boolean): string {
  const isKnown = known !== undefined && known.width > 0;
  const [measured, setMeasured] = useState<Size & { file: string }>();
  useEffect(() => {
    if (isKnown || !canBeLoaded) return;
    const image = new Image();
    image.onload = () => setMeasured({ file, width: image.naturalWidth, height: image.naturalHeight });
    image.src = productImageUrl(file, MEASURED_WIDTH);
    return () => {
      image.onload = null;
    };
  }, [file, isKnown, canBeLoaded]);
  if (isKnown) return tinyText(known);
  return measured?.file === file ? tinyText(measured) : '';
}
