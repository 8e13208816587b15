// A product in a list: image, stock where it is low, name in both scripts, rating, first price, first weight, the prices of
// both sizes, diet, heat, link. On the image are the buttons of the page: the wishlist's at the head, the cart's at the foot.
import type { ReactNode } from 'react';
import type { Product } from '~/api/types';
import { formatPrice } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { Icon } from '~/ui/graphics/icons';
import { DevanagariName } from './devanagari-name';
import { HeatMark } from './heat-mark';
import { productImage } from './images/image-url';
import { ProductImage } from './images/product-image';
import { firstPack, Price, priceOf } from './price';
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
} & CardButtons;

export type CardButtons = { wishlistButton?: ReactNode; cartButton?: ReactNode };

/** What lies on the image moves with it. */
const LIFT = 'transition duration-300 ease-out group-hover:-translate-y-1.5';

export function ProductCard(props: Props) {
  const { product, imageIndex, sizes, eager, compact, level = 2, wishlistButton, cartButton } = props;
  const to = `/product/${product._id}`;
  const { price, weight } = firstPack(product);
  const packs = packsLeft(product);
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <article className="group relative grid h-full grid-rows-[auto_1fr]">
      <Link
        to={to}
        tabIndex={-1}
        aria-hidden="true"
        className={`[grid-area:1/1] block overflow-hidden rounded-lg shadow-card group-hover:shadow-lift ${LIFT}`}
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
      <StockBadge
        packs={packs}
        className={`absolute top-2.5 left-2.5 max-sm:text-xs ${wishlistButton ? 'max-w-[calc(100%-4rem)]' : ''} ${LIFT}`}
      />
      <div className={`[grid-area:2/1] flex flex-col ${compact ? 'pt-3' : 'pt-4'}`}>
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
        <PackPrices product={product} className={compact ? 'max-sm:hidden' : ''} />
        <p className="mt-2 flex items-center gap-2">
          <VegMark diet={product.diet} className="size-4" />
          <HeatMark heat={product.heat} className="h-4" />
        </p>
        <Link
          to={to}
          aria-label={`Shop Now: ${product.product_name}`}
          className={`mt-auto inline-flex min-h-11 items-center gap-1.5 self-start pt-1 font-semibold text-chilli ${compact ? 'text-sm sm:text-base' : ''}`}
        >
          <span className="link">Shop Now</span>
          <Icon name="right" className="size-4 transition group-hover:translate-x-1" />
        </Link>
      </div>
      {wishlistButton && (
        <div className={`absolute top-1.5 right-1.5 ${compact ? 'max-sm:hidden' : ''} ${LIFT}`}>{wishlistButton}</div>
      )}
      {cartButton && (
        <div className={`relative [grid-area:1/1] flex max-w-full self-end justify-self-end p-2.5 ${LIFT}`}>
          {cartButton}
        </div>
      )}
    </article>
  );
}

/** '₹75 · 50 g | ₹142 · 100 g', for a product that is sold in both sizes. */
function PackPrices({ product: { mrp, net_wt }, className }: { product: Product; className: string }) {
  const sizes = ([50, 100] as const).map((grams, at) => ({ grams, price: priceOf(mrp, grams), weight: net_wt[at] }));
  if (sizes.some(({ price }) => price === undefined)) return null;
  return (
    // The line before a size is cut off where the size begins a row.
    <p className={`mt-0.5 overflow-hidden text-[0.8125rem] text-ink-soft tabular-nums ${className}`}>
      <span className="-ml-[calc(0.5rem+1px)] flex flex-wrap gap-y-0.5">
        {sizes.map(({ grams, price = 0, weight = { value: grams, unit: 'g' } }) => (
          <span key={grams} className="border-l border-line-strong px-2 leading-snug whitespace-nowrap">
            {`${formatPrice(price)} · ${weight.value} ${weight.unit}`}
          </span>
        ))}
      </span>
    </p>
  );
}
