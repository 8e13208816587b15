// Trending Masalas, in the order the shop ranks them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { trendingQuery } from '~/api/queries/catalogue';
import type { Product } from '~/api/types';
import { ProductCard } from '~/shared/product/product-card';
import { ButtonLink } from '~/ui/button';
import { CardCarousel, CarouselCard } from '~/ui/carousel/card-carousel';
import { ErrorState } from '~/ui/feedback/error-state';
import { CardSkeletons, EmptyState, Loading } from '~/ui/feedback/states';
import { toast } from '~/ui/feedback/toast';
import { SectionTitle } from '~/ui/section-title';

const views = { base: { perView: 3, gap: 10 }, sm: { perView: 3, gap: 10 }, lg: { perView: 5, gap: 10 } };
const heading = <SectionTitle devanagari="सगळ्यांची पसंती" title="Trending Masalas" />;

type Props = { wishlistButton?: (product: Product) => ReactNode };

export function Trending({ wishlistButton }: Props) {
  const { data, isPending, isError, refetch } = useQuery(trendingQuery);
  useEffect(() => {
    if (isError) toast.error('Failed to load trending products', { id: 'trending' });
  }, [isError]);

  if (data && data.length > 0) {
    return (
      <div className="page-width">
        <CardCarousel
          id="trending"
          label="Trending Masalas"
          views={views}
          title={heading}
          action={
            <ButtonLink to="/sub-products" variant="ghost" className="max-sm:hidden">
              See all
            </ButtonLink>
          }
        >
          {data.map((product) => (
            <CarouselCard key={product._id}>
              <ProductCard
                product={product}
                imageIndex={0}
                compact
                level={3}
                sizes="(min-width: 1024px) 18vw, 31vw"
                wishlistButton={wishlistButton?.(product)}
              />
            </CarouselCard>
          ))}
        </CardCarousel>
      </div>
    );
  }
  return (
    <section id="trending" aria-label="Trending Masalas" className="page-width">
      <div className="mb-7">{heading}</div>
      {isPending ? (
        <Loading text="Loading...">
          <CardSkeletons count={3} className="grid grid-cols-3 gap-2.5" />
        </Loading>
      ) : isError ? (
        <ErrorState message="Failed to load trending products" onRetry={() => void refetch()} />
      ) : (
        <EmptyState text="No trending products found." action={{ to: '/sub-products', label: 'See all masalas' }} />
      )}
    </section>
  );
}
