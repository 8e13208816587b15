// The list of all visible products, filtered by the search text and the categories of the URL.
import type { Product } from '~/api/types';
import { plural } from '~/lib/format';
import { HydrationIsland } from '~/lib/hydration/hydration-island';
import { buildQuery } from '~/lib/router/query-string';
import { lifestyleImageIndex } from '~/shared/product/images/image-url';
import { type CardButtons, ProductCard } from '~/shared/product/product-card';
import { DidYouMean, SearchReadingNote } from '~/shared/product/search-reading';
import { ErrorState } from '~/ui/feedback/error-state';
import { CardSkeletons, EmptyState, Loading } from '~/ui/feedback/states';
import { SelectBox } from '~/ui/forms/select-box';
import { Icon } from '~/ui/graphics/more-icons';
import { PageTitle } from '~/ui/page-title';
import { FilterSidebar, FilterSlideOver } from './category-filter';
import { toggleCategory } from './filtering';
import { ShowMore } from './show-more';
import { parseSort, SORTS, type Sort } from './sort';
import { SORT_LABELS } from './sorting';
import { useCategories, useProductList } from './use-product-list';

type Props = {
  search: string;
  chosen: string[];
  sort: Sort;
  onCategories: (chosen: string[]) => void;
  onSort: (sort: Sort) => void;
  onClearSearch: () => void;
  /** What the cards have on their images. */
  buttons: (product: Product) => CardButtons;
};

const grid = 'grid grid-cols-2 gap-x-4 gap-y-9 md:grid-cols-3 md:gap-x-6 lg:grid-cols-4';
const sizes = '(min-width: 1024px) 20vw, (min-width: 768px) 30vw, 46vw';
const FIRST_ROW = 4;

export function ProductList({ search, chosen, sort, onCategories, onSort, onClearSearch, buttons }: Props) {
  const list = useProductList(search, chosen, sort);
  const guess = list.reading.correctedTo;
  const filterProps = { categories: useCategories(), chosen, onChange: onCategories };

  return (
    <div className="page-width">
      <PageTitle title="Products" above="मसाल्यांची मांडणी" />
      <div className="flex gap-12">
        <HydrationIsland>
          <FilterSidebar {...filterProps} />
        </HydrationIsland>
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
            <div className="ml-auto flex items-center gap-4">
              {!list.isPending && !list.isError && (
                <p role="status" className="text-ink-soft max-sm:sr-only">
                  {plural(list.total, 'product')}
                </p>
              )}
              <SortSelect sort={sort} onSort={onSort} />
            </div>
          </div>
          {list.isPending ? (
            <Loading text="Loading products...">
              <CardSkeletons count={8} className={grid} />
            </Loading>
          ) : list.isError ? (
            <ErrorState message="Failed to load products" onRetry={list.refetch} />
          ) : list.total === 0 ? (
            <>
              {guess && (
                <DidYouMean typed={search} guess={guess} to={`/sub-products${buildQuery({ search: guess })}`} />
              )}
              <EmptyState
                text="No products found."
                hint="Try another word, or take a filter away."
                action={{ to: '/sub-products', label: 'Show everything' }}
              />
            </>
          ) : (
            <>
              <SearchReadingNote typed={search} reading={list.reading} />
              <ul className={grid}>
                {list.products.map((product, at) => (
                  <li key={product._id}>
                    <HydrationIsland>
                      <ProductCard
                        product={product}
                        imageIndex={lifestyleImageIndex(product)}
                        sizes={sizes}
                        eager={at < FIRST_ROW}
                        {...buttons(product)}
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

function SortSelect({ sort, onSort }: Pick<Props, 'sort' | 'onSort'>) {
  return (
    <SelectBox
      aria-label="Sort by"
      value={sort}
      onChange={(event) => onSort(parseSort(event.target.value))}
      className="min-h-11 rounded-full border-2 border-line-strong bg-raised pl-4 text-[0.9375rem] font-semibold"
    >
      {SORTS.map((each) => (
        <option key={each} value={each}>
          {SORT_LABELS[each]}
        </option>
      ))}
    </SelectBox>
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
