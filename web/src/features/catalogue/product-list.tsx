// The list of all visible products, filtered by the search text and the categories of the URL.
import { lifestyleImageIndex } from '~/shared/product/image-url';
import { ProductCard } from '~/shared/product/product-card';
import { ErrorState } from '~/ui/error-state';
import { plural } from '~/ui/format';
import { HydrationIsland } from '~/ui/hydration-island';
import { Icon } from '~/ui/icons';
import { PageTitle } from '~/ui/page-title';
import { CardSkeletons, EmptyState, Loading } from '~/ui/states';
import { FilterSidebar, FilterSlideOver } from './category-filter';
import { toggleCategory } from './filtering';
import { ShowMore } from './show-more';
import { useCategories, useProductList } from './use-product-list';

type Props = {
  search: string;
  chosen: string[];
  onCategories: (chosen: string[]) => void;
  onClearSearch: () => void;
};

const grid = 'grid grid-cols-2 gap-x-4 gap-y-9 md:grid-cols-3 md:gap-x-6 lg:grid-cols-4';
const sizes = '(min-width: 1024px) 20vw, (min-width: 768px) 30vw, 46vw';
const FIRST_ROW = 4;

export function ProductList({ search, chosen, onCategories, onClearSearch }: Props) {
  const list = useProductList(search, chosen);
  const filterProps = { categories: useCategories(), chosen, onChange: onCategories };

  return (
    <div className="page-width">
      <PageTitle title="Products" above="मसाल्यांची मांडणी" />
      <div className="flex gap-12">
        <FilterSidebar {...filterProps} />
        <div className="min-w-0 grow">
          <div className="mb-6 flex min-h-11 flex-wrap items-center gap-2">
            <FilterSlideOver {...filterProps} found={list.total} />
            {search && <Chip label={`“${search}”`} what="search text" onRemove={onClearSearch} />}
            {chosen.map((category) => (
              <Chip
                key={category}
                label={category}
                what="filter"
                onRemove={() => onCategories(toggleCategory(chosen, category))}
              />
            ))}
            {!list.isPending && !list.isError && (
              <p role="status" className="ml-auto text-ink-soft">
                {plural(list.total, 'product')}
              </p>
            )}
          </div>
          {list.isPending ? (
            <Loading text="Loading products...">
              <CardSkeletons count={8} className={grid} />
            </Loading>
          ) : list.isError ? (
            <ErrorState message="Failed to load products" onRetry={list.refetch} />
          ) : list.total === 0 ? (
            <EmptyState
              text="No products found."
              hint="Try another word, or take a filter away."
              action={{ to: '/sub-products', label: 'Show everything' }}
            />
          ) : (
            <>
              <ul className={grid}>
                {list.products.map((product, at) => (
                  <li key={product._id}>
                    <HydrationIsland>
                      <ProductCard
                        product={product}
                        imageIndex={lifestyleImageIndex(product)}
                        sizes={sizes}
                        eager={at < FIRST_ROW}
                      />
                    </HydrationIsland>
                  </li>
                ))}
              </ul>
              <ShowMore more={list.more} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

function Chip({ label, what, onRemove }: { label: string; what: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={`Remove ${what} ${label}`}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-full bg-turmeric-wash pr-2.5 pl-4 font-semibold transition hover:bg-turmeric hover:text-on-turmeric"
    >
      {label}
      <Icon name="close" className="size-4" />
    </button>
  );
}
