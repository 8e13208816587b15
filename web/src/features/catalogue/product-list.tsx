// The shelf: every visible product, narrowed by the text and the categories that the address names.
import { Failure } from '~/ui/failure';
import { plural } from '~/ui/format';
import { Icon } from '~/ui/icons';
import { PageTitle } from '~/ui/page-title';
import { Part } from '~/ui/part';
import { lifestyleIndex } from '~/ui/picture-url';
import { ProductCard } from '~/ui/product-card';
import { CardSkeletons, EmptyState, Loading } from '~/ui/states';
import { FilterSidebar, FilterSlideOver } from './category-filter';
import { toggled } from './filtering';
import { ShowMore } from './show-more';
import { useCategories, useShelf } from './use-shelf';

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
  const shelf = useShelf(search, chosen);
  const filterProps = { categories: useCategories(), chosen, onChange: onCategories };

  return (
    <div className="wrap">
      <PageTitle title="Products" above="मसाल्यांची मांडणी" />
      <div className="flex gap-12">
        <FilterSidebar {...filterProps} />
        <div className="min-w-0 grow">
          <div className="mb-6 flex min-h-11 flex-wrap items-center gap-2">
            <FilterSlideOver {...filterProps} found={shelf.total} />
            {search && <Chip label={`“${search}”`} what="search text" onRemove={onClearSearch} />}
            {chosen.map((category) => (
              <Chip
                key={category}
                label={category}
                what="filter"
                onRemove={() => onCategories(toggled(chosen, category))}
              />
            ))}
            {!shelf.isPending && !shelf.isError && (
              <p role="status" className="ml-auto text-ink-soft">
                {plural(shelf.total, 'product')}
              </p>
            )}
          </div>
          {shelf.isPending ? (
            <Loading text="Loading products...">
              <CardSkeletons count={8} className={grid} />
            </Loading>
          ) : shelf.isError ? (
            <Failure message="Failed to load products" onRetry={shelf.refetch} />
          ) : shelf.total === 0 ? (
            <EmptyState
              text="No products found."
              hint="Try another word, or take a filter away."
              action={{ to: '/sub-products', label: 'Show everything' }}
            />
          ) : (
            <>
              <ul className={grid}>
                {shelf.products.map((product, at) => (
                  <li key={product._id}>
                    <Part>
                      <ProductCard
                        product={product}
                        pictureIndex={lifestyleIndex(product)}
                        sizes={sizes}
                        eager={at < FIRST_ROW}
                      />
                    </Part>
                  </li>
                ))}
              </ul>
              <ShowMore more={shelf.more} />
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
