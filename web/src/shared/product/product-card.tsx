// A product in a list: image, name in both scripts, first price, first weight, link.

import type { Product } from '~/api/types';
import { Icon } from '~/ui/icons';
import { Link } from '~/ui/router';
import { productImage } from './image-url';
import { firstPack, Price } from './price';
import { ProductImage } from './product-image';

type Props = {
  product: Product;
  imageIndex: number;
  sizes: string;
  eager?: boolean;
  compact?: boolean;
  level?: 2 | 3;
};

export function ProductCard({ product, imageIndex, sizes, eager, compact, level = 2 }: Props) {
  const to = `/product/${product._id}`;
  const { price, weight } = firstPack(product);
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <article className="group relative flex h-full flex-col">
      <Link
        to={to}
        tabIndex={-1}
        aria-hidden="true"
        className="block overflow-hidden rounded-lg shadow-card transition duration-300 ease-out group-hover:-translate-y-1.5 group-hover:shadow-lift"
      >
        <ProductImage
          source={productImage(product, imageIndex)}
          name={product.product_name}
          sizes={sizes}
          widths={[160, 320, 384, 480, 640, 960]}
          eager={eager}
          alt=""
          className="aspect-[4/5] w-full object-cover transition duration-500 ease-out group-hover:scale-[1.045] group-hover:-rotate-1"
        />
      </Link>
      <div className={`flex grow flex-col ${compact ? 'pt-3' : 'pt-4'}`}>
        <p
          lang="mr"
          className={`devanagari devanagari-name text-[1.0625rem] leading-snug text-chilli ${eager ? '' : 'devanagari-deferred'} ${compact ? 'max-sm:hidden' : ''}`}
        >
          <span>{product.devanagari_name}</span>
        </p>
        <Heading
          className={
            compact ? 'text-[0.95rem] leading-tight sm:text-name' : 'text-[1.0625rem] leading-tight sm:text-name'
          }
        >
          <Link to={to} className="transition group-hover:text-chilli">
            {product.product_name}
          </Link>
        </Heading>
        <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2">
          <Price value={price} className="text-[1.0625rem] font-bold" />
          {weight && (
            <span className="text-sm text-ink-soft">
              {weight.value} {weight.unit}
            </span>
          )}
        </p>
        <Link
          to={to}
          aria-label={`Shop Now: ${product.product_name}`}
          className={`mt-auto inline-flex min-h-11 items-center gap-1.5 self-start font-semibold text-chilli ${compact ? 'text-sm sm:text-base' : ''}`}
        >
          <span className="link">Shop Now</span>
          <Icon name="right" className="size-4 transition group-hover:translate-x-1" />
        </Link>
      </div>
    </article>
  );
}
