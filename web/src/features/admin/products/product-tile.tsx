// A product in the admin grid, with visibility, trending rank, edit and delete.
import { useContext } from 'react';
import type { Product } from '~/api/types';
import { formatNumber, plural } from '~/lib/format';
import { ImageHosts } from '~/shared/product/images/image-hosts';
import { productImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { firstPack, Price } from '~/shared/product/price';
import { packsLeft, stockText } from '~/shared/product/stock';
import { Badge } from '~/ui/badge';
import { Button, ButtonLink } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminIcon } from '../console/admin-icon';
import { adminPath, useAdminUrl } from '../console/url-state';
import { RANKS } from './form/product-form-model';
import { savedImagesProblem } from './images/image-problem';
import { useToggleVisibility, useTrendingRank } from './product-queries';

/** What is in stock, with a warning where customers see that it is low. */
function StockLine({ product }: { product: Product }) {
  const warning = stockText(packsLeft(product));
  const counts = [
    ['Stock', `${formatNumber(product.stock)} g`],
    ['50 g pouches', formatNumber(product.packaging_50gms)],
    ['100 g pouches', formatNumber(product.packaging_100gms)],
  ];
  return (
    <div className="mt-2 border-t border-line pt-2">
      <dl className="grid grid-cols-3 gap-x-3 text-sm">
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt className="text-ink-soft">{name}</dt>
            <dd className="font-semibold tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
      {warning && (
        <p className="mt-1.5">
          <Badge tone={warning === 'Sold out' ? 'red' : 'yellow'}>{warning}</Badge>
        </p>
      )}
    </div>
  );
}

type Props = {
  product: Product;
  /** It was added just now: it is shown and has the focus. */
  isAdded?: boolean;
  onDelete: () => void;
};

/** Into view, and away from what was pressed before: a button of another product may be below the pointer now. */
function show(tile: HTMLElement | null) {
  tile?.scrollIntoView({ block: 'center' });
  tile?.focus({ preventScroll: true });
}

export function ProductTile({ product, isAdded = false, onDelete }: Props) {
  const { query } = useAdminUrl();
  const toggle = useToggleVisibility();
  const rank = useTrendingRank();
  const { price, weight } = firstPack(product);
  const problem = savedImagesProblem(product.images, useContext(ImageHosts));
  const name = product.product_name;
  return (
    <article
      aria-label={name}
      ref={isAdded ? show : undefined}
      tabIndex={isAdded ? -1 : undefined}
      className={`flex h-full flex-col rounded-lg border p-3 pb-1 shadow-card transition ${isAdded ? 'border-cardamom bg-cardamom-wash outline-3 -outline-offset-1 outline-cardamom' : 'border-line bg-surface hover:border-line-strong'}`}
    >
      {isAdded && (
        <p className="mb-2">
          <Badge tone="green">Just added</Badge>
        </p>
      )}
      <div className="flex gap-3">
        <ProductImage
          source={productImage(product, 0)}
          name={name}
          sizes="80px"
          widths={[160]}
          alt=""
          className={`h-25 w-20 shrink-0 rounded-md object-cover ${product.isVisible ? '' : 'opacity-45 grayscale'}`}
        />
        <div className="min-w-0">
          <h2 className="text-name break-words">{name}</h2>
          <p className="mt-0.5 text-sm text-ink-soft">{product.category[0] ?? 'N/A'}</p>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-2 text-[0.9375rem]">
            <Price value={price} className="font-bold" />
            <span className="text-ink-soft">{weight ? `${weight.value} ${weight.unit}` : 'N/A'}</span>
          </p>
          <p className="text-sm text-ink-soft">{plural(product.ingredients.length, 'ingredient')}</p>
        </div>
      </div>
      <StockLine product={product} />
      {problem && <p className="mt-2 text-sm font-semibold break-words text-chilli">{problem}</p>}
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-1">
        <label className="flex min-h-11 cursor-pointer items-center gap-2 font-medium">
          <input
            type="checkbox"
            aria-label={`Visible: ${name}`}
            checked={product.isVisible}
            disabled={toggle.isPending}
            onChange={() => toggle.mutate(product)}
            className="size-5 accent-cardamom-fill"
          />
          Visible
        </label>
        <label className="flex min-h-11 items-center gap-2 text-sm text-ink-soft">
          Trending Rank
          <select
            aria-label={`Trending Rank: ${name}`}
            value={product.trendingRank ?? ''}
            disabled={!product.isVisible || rank.isPending}
            onChange={(event) => rank.mutate({ product, rank: event.target.value ? Number(event.target.value) : null })}
            className="min-h-9 rounded-md border border-line-strong bg-raised px-2 text-base text-ink disabled:opacity-50"
          >
            <option value="">None</option>
            {RANKS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div className="mt-auto flex gap-1 pt-1">
        <ButtonLink
          variant="ghost"
          size="sm"
          className="-ml-1 !px-3"
          to={adminPath('products', { product: product._id, search: query.get('search'), page: query.get('page') })}
          aria-label={`Edit ${name}`}
        >
          <AdminIcon name="edit" />
          Edit
        </ButtonLink>
        <Button
          variant="ghost"
          size="sm"
          className="ml-auto !px-3 !text-chilli"
          aria-label={`Delete ${name}`}
          // The second click of a double click was meant for what was here before.
          onClick={(event) => event.detail < 2 && onDelete()}
        >
          <Icon name="trash" className="size-5" />
          Delete
        </Button>
      </div>
    </article>
  );
}
