// A product in a list: image, stock where it is low, name in both scripts, rating, first price, first weight, diet, heat, link.
import type { ReactNode } from 'react';
import type { Product } from '~/api/types';
import { Link } from '~/lib/router/router';
import { Icon } from '~/ui/graphics/icons';
import { DevanagariName } from './devanagari-name';
import { HeatMark } from './heat-mark';
import { productImage } from './images/image-url';
import { ProductImage } from './images/product-image';
import { firstPack, Price } from './price';
import { RatingLine } from './rating';
import { packsLeft } from './stock';
import { StockBadge } from './stock-badge';
import { VegMark } from './veg-mark';

type Props = {
  product: Product;
  imageIndex: number;
  sizes: string;
  eager?: boolean;
  compact?: boolean;
  level?: 2 | 3;
  /** A button beside 'Shop Now'. */
  action?: ReactNode;
};

export function ProductCard({ product, imageIndex, sizes, eager, compact, level = 2, action }: Props) {
  const to = `/product/${product._id}`;
  const { price, weight } = firstPack(product);
  const packs = packsLeft(product);
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
          className={`aspect-[4/5] w-full object-cover transition duration-500 ease-out group-hover:scale-[1.045] group-hover:-rotate-1${packs ? '' : ' opacity-60'}`}
        />
      </Link>
      <StockBadge packs={packs} className="absolute top-2.5 left-2.5 max-sm:text-xs" />
      <div className={`flex grow flex-col ${compact ? 'pt-3' : 'pt-4'}`}>
        <DevanagariName
          name={product.devanagari_name}
          className={`devanagari-small text-[1.0625rem] leading-snug ${eager ? '' : 'devanagari-deferred'} ${compact ? 'max-sm:hidden' : ''}`}
        />
        <Heading
          className={
            compact ? 'text-[0.95rem] leading-tight sm:text-name' : 'text-[1.0625rem] leading-tight sm:text-name'
          }
        >
          <Link to={to} className="[overflow-wrap:anywhere] transition group-hover:text-chilli">
            {product.product_name}
          </Link>
        </Heading>
        <RatingLine rating={product.rating} compact={compact} className="mt-1" />
        <p className="mt-1.5 flex flex-wrap items-baseline gap-x-2">
          <Price value={price} className="text-[1.0625rem] font-bold" />
          {weight && (
            <span className="text-sm text-ink-soft">
              {weight.value} {weight.unit}
            </span>
          )}
        </p>
        <p className="mt-2 flex items-center gap-2">
          <VegMark diet={product.diet} className="size-4" />
          <HeatMark heat={product.heat} className="h-4" />
        </p>
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-2 pt-1">
          <Link
            to={to}
            aria-label={`Shop Now: ${product.product_name}`}
            className={`inline-flex min-h-11 items-center gap-1.5 font-semibold text-chilli ${compact ? 'text-sm sm:text-base' : ''}`}
          >
            <span className="link">Shop Now</span>
            <Icon name="right" className="size-4 transition group-hover:translate-x-1" />
          </Link>
          {action}
        </div>
      </div>
    </article>
  );
}
