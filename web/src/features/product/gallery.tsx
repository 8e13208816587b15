// All images of a product in a row that is swiped: below 768 px with dots, above with thumbnails.
import { useContext, useEffect, useRef, useState } from 'react';
import type { Product } from '~/api/types';
import { canShowImage, ImageHosts } from '~/shared/product/images/image-hosts';
import { productImage } from '~/shared/product/images/image-url';
import { ImagePlaceholder, ProductImage } from '~/shared/product/images/product-image';
import { ZoomImage } from './zoom-image';

export function Gallery({ product }: { product: Product }) {
  const hosts = useContext(ImageHosts);
  const pictures = product.images
    .map((file, at) => ({ file, source: productImage(product, at) }))
    .filter(({ file }) => canShowImage(file, hosts));
  const { row, shown, show, isNear } = usePictureRow();
  const name = product.product_name;
  const buttons = pictures.map(({ file, source }, at) => ({
    key: file,
    source,
    props: {
      type: 'button' as const,
      'aria-label': `Show picture ${at + 1} of ${pictures.length}: ${source.alt}`,
      'aria-current': at === shown ? ('true' as const) : undefined,
      onClick: () => show(at),
    },
  }));
  return (
    <div className="min-w-0 md:sticky md:top-36 md:self-start print:static">
      {pictures.length > 0 ? (
        <div ref={row} className="picture-row">
          {pictures.map(({ file, source }, at) => (
            <div key={file} inert={at !== shown}>
              {isNear(at) ? (
                <ZoomImage source={source} name={name} eager={at === 0} active={at === shown} />
              ) : (
                <div
                  className="aspect-square rounded-xl max-md:max-h-[38svh]"
                  style={{ backgroundColor: source.colour }}
                />
              )}
            </div>
          ))}
        </div>
      ) : (
        <ImagePlaceholder name={name} alt={name} className="aspect-square w-full rounded-xl shadow-card" />
      )}
      {pictures.length > 1 && (
        <>
          <ul aria-label="Pictures" className="-mb-3 flex justify-center md:hidden print:hidden">
            {buttons.map(({ key, props }) => (
              <li key={key}>
                <button {...props} className="group grid h-11 w-9 place-items-center">
                  <span className="h-2 w-2 rounded-full bg-current opacity-40 transition-all group-aria-[current=true]:w-6 group-aria-[current=true]:opacity-100" />
                </button>
              </li>
            ))}
          </ul>
          <ul aria-label="Pictures" className="mt-4 flex gap-3 overflow-x-auto p-1 max-md:hidden print:hidden">
            {buttons.map(({ key, source, props }) => (
              <li key={key}>
                <button
                  {...props}
                  className="block w-20 overflow-hidden rounded-md opacity-75 transition hover:opacity-100 aria-[current=true]:opacity-100 aria-[current=true]:outline-3 aria-[current=true]:outline-chilli-fill sm:w-24"
                >
                  <ProductImage
                    source={source}
                    name={name}
                    sizes="96px"
                    widths={[160, 320]}
                    alt=""
                    className="aspect-square w-full object-cover"
                  />
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** A row with one picture a view. The neighbours of the shown picture are loaded when a finger touches the row. */
function usePictureRow() {
  const row = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(0);
  const [isTouched, setTouched] = useState(false);

  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const onPointer = ({ pointerType }: PointerEvent) => {
      if (pointerType !== 'mouse') setTouched(true);
    };
    const onScroll = () => setShown(Math.round(element.scrollLeft / element.clientWidth));
    element.addEventListener('pointerdown', onPointer);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      element.removeEventListener('pointerdown', onPointer);
      element.removeEventListener('scroll', onScroll);
    };
  }, []);

  return {
    row,
    shown,
    show: (at: number) => {
      setShown(at);
      row.current?.scrollTo({ left: at * row.current.clientWidth });
    },
    isNear: (at: number) => at === shown || (isTouched && Math.abs(at - shown) === 1),
  };
}
