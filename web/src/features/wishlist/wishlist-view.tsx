// The list of the wishlist's products, each with a button to move it to the cart.

import type { WishlistItem } from '~/api/types';
import { Link } from '~/lib/router/router';
import { openLogin } from '~/shared/auth/overlay-store';
import { fileImage } from '~/shared/product/images/image-url';
import { ProductImage } from '~/shared/product/images/product-image';
import { Price } from '~/shared/product/price';
import { StockBadge } from '~/shared/product/stock-badge';
import { Button } from '~/ui/button';
import { ErrorState } from '~/ui/feedback/error-state';
import { CardSkeletons, EmptyState, Loading } from '~/ui/feedback/states';
import { useWishlist, useWishlistMutations } from './wishlist-queries';

const grid = 'grid grid-cols-2 gap-4 sm:gap-6 md:grid-cols-3 lg:grid-cols-4';

export function WishlistView() {
  const { items, loading, failed, retry, authenticated } = useWishlist();
  if (loading) {
    return (
      <Loading text="Loading...">
        <CardSkeletons count={4} className={grid} />
      </Loading>
    );
  }
  if (failed) return <ErrorState message="Your wishlist could not be loaded." onRetry={() => void retry()} />;
  if (items.length === 0) {
    return (
      <div className="text-center">
        <EmptyState
          text="Your wishlist is empty."
          hint="Tap the heart on any masala to keep it here."
          action={{ to: '/sub-products', label: 'Browse products' }}
        />
        {!authenticated && (
          <Button variant="ghost" onClick={() => openLogin()}>
            Sign In to see what you saved
          </Button>
        )}
      </div>
    );
  }
  return (
    <ul className={grid}>
      {items.map((item) => (
        <WishlistCard key={item._id} item={item} />
      ))}
    </ul>
  );
}

function WishlistCard({ item }: { item: WishlistItem }) {
  const { move, remove } = useWishlistMutations();
  const to = `/product/${item._id}`;
  return (
    <li className="relative flex flex-col">
      <Link
        to={to}
        tabIndex={-1}
        aria-hidden="true"
        className="block overflow-hidden rounded-lg bg-paper-deep shadow-card"
      >
        <ProductImage
          source={fileImage(item.image || (item.images[0] ?? ''))}
          name={item.product_name || item.name}
          sizes="(min-width: 1024px) 22vw, (min-width: 768px) 30vw, 46vw"
          alt=""
          className="aspect-[4/5] w-full object-cover transition duration-300 hover:scale-103"
        />
      </Link>
      <StockBadge packs={item.packs_left} className="absolute top-2.5 left-2.5" />
      <Link to={to} className="mt-4 font-display text-name hover:text-chilli">
        {item.product_name || item.name}
      </Link>
      <Price value={item.price} className="mt-1 font-semibold" />
      <div className="mt-auto flex flex-col gap-2 pt-4">
        <Button size="sm" busy={move.isPending} disabled={item.packs_left === 0} onClick={() => move.mutate(item._id)}>
          Move to Cart
        </Button>
        <Button variant="ghost" size="sm" disabled={remove.isPending} onClick={() => remove.mutate(item._id)}>
          Remove
        </Button>
      </div>
    </li>
  );
}
