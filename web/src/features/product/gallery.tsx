// All images of a product: the chosen one large, the others as thumbnails.
import { useContext, useState } from 'react';
import type { Product } from '~/api/types';
import { canShowImage, ImageHosts } from '~/shared/product/images/image-hosts';
import { productImage } from '~/shared/product/images/image-url';
import { ImagePlaceholder, ProductImage } from '~/shared/product/images/product-image';
import { ZoomImage } from './zoom-image';

export function Gallery({ product }: { product: Product }) {
  const [shown, setShown] = useState(0);
  const hosts = useContext(ImageHosts);
  const pictures = product.images
    .map((file, at) => ({ file, source: productImage(product, at) }))
    .filter(({ file }) => canShowImage(file, hosts));
  const main = pictures[shown];
  const name = product.product_name;
  return (
    <div className="min-w-0 md:sticky md:top-36 md:self-start">
      {main ? (
        <ZoomImage key={shown} source={main.source} name={name} eager={shown === 0} />
      ) : (
        <ImagePlaceholder name={name} alt={name} className="aspect-square w-full rounded-xl shadow-card" />
      )}
      {pictures.length > 1 && (
        <ul aria-label="Pictures" className="mt-4 flex gap-3 overflow-x-auto p-1">
          {pictures.map(({ file, source }, at) => (
            <li key={file}>
              <button
                type="button"
                aria-label={`Show picture ${at + 1} of ${pictures.length}: ${source.alt}`}
                aria-current={at === shown ? 'true' : undefined}
                onClick={() => setShown(at)}
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
      )}
    </div>
  );
}
