// The page of one product. The parent provides `onAdd`, the wishlist button and the reviews: this feature knows neither
// cart nor wishlist nor reviews.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { productQuery, relatedQuery } from '~/api/queries/catalogue';
import type { Product } from '~/api/types';
import { HydrationIsland } from '~/lib/hydration/hydration-island';
import { Link } from '~/lib/router/router';
import { DevanagariName } from '~/shared/product/devanagari-name';
import { HeatMark } from '~/shared/product/heat-mark';
import { lifestyleImageIndex } from '~/shared/product/images/image-url';
import { ProductCard } from '~/shared/product/product-card';
import { RatingLink } from '~/shared/product/rating';
import { packsLeft, sharedStock } from '~/shared/product/stock';
import { StockBadge } from '~/shared/product/stock-badge';
import { VegMark } from '~/shared/product/veg-mark';
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState, Loading, Skeleton } from '~/ui/feedback/states';
import { DetailLinks, Details } from './details';
import { Gallery } from './gallery';
import type { Quantities } from './packs';
import { PincodeCheck } from './pincode-check';
import { Purchase } from './purchase';
import { TellMe } from './tell-me';

/** Beside the mark of the spice itself, 'Non-Veg' alone would contradict it: these categories are what it is cooked with. */
const goesWith: Record<string, string> = { Veg: 'For veg dishes', 'Non-Veg': 'For non-veg dishes' };

type Props = {
  id: string;
  onAdd: (packs: Quantities) => void;
  adding: boolean;
  wishlistButton: (product: Product) => ReactNode;
  /** The same, for the cards of similar products. */
  cardHeart: (product: Product) => ReactNode;
  reviews: (product: Product) => ReactNode;
};

export function ProductView({ id, ...actions }: Props) {
  const { data: product, isPending, isError, refetch } = useQuery(productQuery(id));
  if (isPending) return <ProductLoading />;
  if (isError) {
    return (
      <div className="page-width py-24">
        <ErrorState message="Failed to fetch product" onRetry={() => void refetch()} />
      </div>
    );
  }
  if (!product) {
    return (
      <div className="page-width">
        <h1 className="sr-only">Product not found.</h1>
        <EmptyState
          text="Product not found."
          hint="It may have been renamed, or is resting for the season."
          action={{ to: '/sub-products', label: 'See all masalas' }}
        />
      </div>
    );
  }
  return <ProductPageBody key={product._id} product={product} {...actions} />;
}

function ProductPageBody({
  product,
  onAdd,
  adding,
  wishlistButton,
  cardHeart,
  reviews,
}: Omit<Props, 'id'> & { product: Product }) {
  return (
    <>
      <div className="page-width pt-5">
        <nav aria-label="Breadcrumb" className="print:hidden text-[0.9375rem] text-ink-soft">
          <ol className="flex flex-wrap items-center gap-x-2">
            <li>
              <Link to="/" className="inline-flex min-h-11 items-center hover:text-chilli">
                Home
              </Link>
            </li>
            <li aria-hidden="true">/</li>
            <li>
              <Link to="/sub-products" className="inline-flex min-h-11 items-center hover:text-chilli">
                Products
              </Link>
            </li>
            <li aria-hidden="true">/</li>
            <li aria-current="page" className="text-ink">
              {product.product_name}
            </li>
          </ol>
        </nav>
        <div className="mt-2 grid gap-6 md:grid-cols-2 md:gap-8 lg:grid-cols-[1.1fr_1fr] lg:gap-16">
          <HydrationIsland>
            <Gallery product={product} />
          </HydrationIsland>
          <div>
            <div className="flex items-start justify-between gap-4">
              <div className="min-w-0">
                <DevanagariName name={product.devanagari_name} className="text-3xl" />
                <h1 className="text-[clamp(2.25rem,1.7rem+2.4vw,3.75rem)] leading-[1.02]">{product.product_name}</h1>
              </div>
              <div className="print:hidden">{wishlistButton(product)}</div>
            </div>
            <RatingLink rating={product.rating} />
            <StockBadge packs={packsLeft(product)} grams={sharedStock(product)?.grams} className="mt-3 w-fit" />
            <p className="mt-4 text-lg leading-relaxed text-ink-soft">{product.description}</p>
            <ul className="mt-5 flex flex-wrap items-center gap-2">
              <li className="mr-1 flex items-center gap-2.5">
                <VegMark diet={product.diet} className="size-6" />
                <HeatMark heat={product.heat} className="h-6" />
              </li>
              {product.category.map((category) => (
                <li key={category}>
                  <Link
                    to={`/sub-products?category=${encodeURIComponent(category)}`}
                    className="inline-flex min-h-11 items-center rounded-full bg-paper-deep px-4 text-[0.9375rem] font-medium transition hover:bg-turmeric hover:text-on-turmeric"
                  >
                    {goesWith[category] ?? category}
                  </Link>
                </li>
              ))}
            </ul>
            <div className="mt-8 space-y-6 print:hidden">
              <Purchase product={product} onAdd={onAdd} adding={adding} />
              {packsLeft(product) === 0 && <TellMe product={product} />}
              <PincodeCheck />
              <DetailLinks />
            </div>
          </div>
        </div>
      </div>
      <HydrationIsland>
        <Details product={product} />
      </HydrationIsland>
      <div className="print:hidden">{reviews(product)}</div>
      <HydrationIsland>
        <Related product={product} cardHeart={cardHeart} />
      </HydrationIsland>
    </>
  );
}

function Related({ product, cardHeart }: Pick<Props, 'cardHeart'> & { product: Product }) {
  const { data: close = [] } = useQuery(relatedQuery(product._id));
  if (close.length === 0) return null;
  return (
    <section aria-labelledby="related" className="print:hidden page-width mt-20 sm:mt-28">
      <h2 id="related" className="mb-8 text-title">
        Next to it on the shelf
      </h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-9 md:grid-cols-4 md:gap-x-6">
        {close.map((other) => (
          <li key={other._id}>
            <ProductCard
              product={other}
              imageIndex={lifestyleImageIndex(other)}
              level={3}
              sizes="(min-width: 768px) 22vw, 46vw"
              wishlistButton={cardHeart(other)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProductLoading() {
  return (
    <div className="page-width pt-16">
      <Loading text="Loading...">
        <div className="grid gap-10 lg:grid-cols-2 lg:gap-16">
          <Skeleton className="aspect-square !rounded-xl" />
          <div className="space-y-5">
            <Skeleton className="h-14 w-3/4" />
            <Skeleton className="h-20 w-full" />
            <Skeleton className="h-56 w-full" />
          </div>
        </div>
      </Loading>
    </div>
  );
}
