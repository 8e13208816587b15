// The page of a category or cuisine: a maintenance notice, and its products.
import type { Product } from '~/api/types';
import { lifestyleImageIndex } from '~/shared/product/images/image-url';
import { type CardButtons, ProductCard } from '~/shared/product/product-card';
import { ButtonLink } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { CardSkeletons, EmptyState, Loading } from '~/ui/feedback/states';
import { RangoliSun } from '~/ui/graphics/rangoli';
import { useProductList } from './use-product-list';

const grid = 'grid grid-cols-2 gap-x-4 gap-y-9 md:grid-cols-3 md:gap-x-6 lg:grid-cols-4';

type Props = {
  categories: string[];
  notice: string;
  /** What the cards have on their images. */
  buttons: (product: Product) => CardButtons;
};

export function CollectionView({ categories, notice, buttons }: Props) {
  const { isPending, isError, refetch, products } = useProductList('', categories);
  return (
    <div className="page-width min-h-[60vh]">
      <div className="flex flex-col items-center py-14 text-center">
        <RangoliSun className="w-40 text-turmeric" />
        <h1 className="mt-6 text-title">{notice}</h1>
        <p className="mt-3 text-lg text-ink-soft">The shelf behind it is open, though.</p>
      </div>
      {isPending ? (
        <Loading text="Loading products...">
          <CardSkeletons count={4} className={grid} />
        </Loading>
      ) : isError ? (
        <ErrorState message="Failed to load products" onRetry={refetch} />
      ) : products.length === 0 ? (
        <EmptyState text="No products found." action={{ to: '/sub-products', label: 'See all masalas' }} />
      ) : (
        <>
          <ul className={grid}>
            {products.map((product) => (
              <li key={product._id}>
                <ProductCard
                  product={product}
                  imageIndex={lifestyleImageIndex(product)}
                  sizes="(min-width: 1024px) 22vw, (min-width: 768px) 30vw, 46vw"
                  {...buttons(product)}
                />
              </li>
            ))}
          </ul>
          <div className="mt-10 text-center">
            <ButtonLink to="/sub-products" variant="secondary">
              See all masalas
            </ButtonLink>
          </div>
        </>
      )}
    </div>
  );
}
