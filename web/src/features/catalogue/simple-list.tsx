// The simple list: everything about every product on one page, with a search box and a category dropdown.
import { useDeferredValue, useRef, useState } from 'react';
import type { Product } from '~/api/types';
import { Link } from '~/lib/router/router';
import { useTypedBefore } from '~/lib/router/url-text';
import { DevanagariName } from '~/shared/product/devanagari-name';
import { productImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { firstPack, Price } from '~/shared/product/price';
import { DidYouMean, SearchReadingNote } from '~/shared/product/search-reading';
import { availablePack, packsLeft } from '~/shared/product/stock';
import { StockBadge } from '~/shared/product/stock-badge';
import { Badge } from '~/ui/badge';
import { Button, Spinner } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState, Loading, Skeleton } from '~/ui/feedback/states';
import { inputClass } from '~/ui/forms/field';
import { SelectBox } from '~/ui/forms/select-box';
import { PageTitle } from '~/ui/page-title';
import { ShowMore } from './show-more';
import { useCategories, useProductList } from './use-product-list';

type Props = {
  category: string;
  onCategory: (category: string) => void;
  onAdd: (product: Product) => void;
  onBuy: () => void;
  /** The products that are being added to the cart. */
  addingIds: string[];
};

const grid = 'grid gap-6 md:grid-cols-2 xl:grid-cols-3';

export function SimpleList({ category, onCategory, ...actions }: Props) {
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useTypedBefore(field, setText);
  const categories = useCategories()
    .map(({ name }) => name)
    .sort();
  const selected = categories.find((one) => one.toLowerCase() === category.toLowerCase()) ?? '';
  // The field updates at once; the cards follow when the browser has time for them.
  const { isPending, isError, refetch, products, more, reading } = useProductList(
    useDeferredValue(text),
    selected ? [selected] : [],
  );

  return (
    <div className="page-width">
      <PageTitle title="Our Products" above="आमचे मसाले">
        What goes in, what it costs, and what to cook with it tonight.
      </PageTitle>
      <div className="mb-8 grid gap-3 sm:grid-cols-[1fr_16rem]">
        <input
          ref={field}
          type="search"
          aria-label="Search products"
          placeholder="Search products..."
          value={text}
          onChange={(event) => setText(event.target.value)}
          className={inputClass}
        />
        <SelectBox
          aria-label="Category"
          value={selected}
          onChange={(event) => onCategory(event.target.value)}
          className={inputClass}
        >
          <option value="">All Categories</option>
          {categories.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectBox>
      </div>
      {isPending ? (
        <Loading text="Loading...">
          <div className={grid}>
            {[1, 2, 3].map((key) => (
              <Skeleton key={key} className="h-80" />
            ))}
          </div>
        </Loading>
      ) : isError ? (
        <ErrorState message="Failed to load products" onRetry={refetch} />
      ) : products.length === 0 ? (
        <>
          {reading.correctedTo && (
            <DidYouMean typed={text} guess={reading.correctedTo} onChoose={() => setText(reading.correctedTo ?? '')} />
          )}
          <EmptyState text="No products found matching your criteria." />
        </>
      ) : (
        <>
          <SearchReadingNote typed={text} reading={reading} />
          <ul className={grid}>
            {products.map((product) => (
              <SimpleCard key={product._id} product={product} {...actions} />
            ))}
          </ul>
          <ShowMore more={more} />
        </>
      )}
    </div>
  );
}

type CardProps = Pick<Props, 'onAdd' | 'onBuy' | 'addingIds'> & { product: Product };

function SimpleCard({ product, onAdd, onBuy, addingIds }: CardProps) {
  const adding = addingIds.includes(product._id);
  const { price, weight } = firstPack(product);
  return (
    <li className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card transition duration-200 hover:shadow-lift">
      <Link to={`/product/${product._id}`} className="group grow">
        <div className="grid grid-cols-[7.5rem_1fr] gap-4 p-4">
          <ProductImage
            source={productImage(product, 0)}
            name={product.product_name}
            sizes="120px"
            widths={[160, 320]}
            alt=""
            className="aspect-[4/5] w-full rounded-md object-cover"
          />
          <div className="min-w-0">
            <DevanagariName name={product.devanagari_name} className="devanagari-small" />
            <h2 className="text-name group-hover:text-chilli">{product.product_name}</h2>
            <p className="mt-2 flex items-baseline gap-2">
              <Price value={price} className="text-lg font-bold" />
              {weight && (
                <span className="text-sm text-ink-soft">
                  {weight.value} {weight.unit}
                </span>
              )}
            </p>
            <StockBadge packs={packsLeft(product)} className="mt-2 w-fit" />
            <p className="mt-3 flex flex-wrap gap-1.5">
              {product.category.map((one) => (
                <Badge key={one}>{one}</Badge>
              ))}
            </p>
          </div>
        </div>
        <div className="space-y-3 px-4 pb-4 text-[0.9375rem] text-ink-soft">
          <p className="line-clamp-3">
            <b className="text-ink">Ingredients:</b> {product.ingredients.join(', ')}
          </p>
          {product.recipe.length > 0 && (
            <p className="line-clamp-3">
              <b className="text-ink">Recipe:</b> {product.recipe.join(' ')}
            </p>
          )}
        </div>
      </Link>
      <div className="flex gap-3 border-t border-line p-4">
        <Button
          size="sm"
          className="flex-1"
          aria-busy={adding}
          disabled={availablePack(product) === undefined}
          onClick={() => onAdd(product)}
        >
          {adding && <Spinner />}
          {adding ? 'Adding...' : 'Add to Cart'}
        </Button>
        <Button size="sm" variant="secondary" className="flex-1" onClick={onBuy}>
          Buy Now
        </Button>
      </div>
    </li>
  );
}
