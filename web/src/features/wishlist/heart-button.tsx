// The wishlist button of a product: a heart, filled when the product is on the wishlist.
import { Icon } from '~/ui/graphics/more-icons';
import { useWishlistToggle } from './wishlist-queries';

export function HeartButton({
  productId,
  name,
  className = '',
}: {
  productId: string;
  name: string;
  className?: string;
}) {
  const { isInWishlist, toggle, busy } = useWishlistToggle(productId);
  return (
    <button
      type="button"
      aria-pressed={isInWishlist}
      aria-label={isInWishlist ? `Remove ${name} from wishlist` : `Add ${name} to wishlist`}
      disabled={busy}
      onClick={toggle}
      className={`grid size-12 place-items-center rounded-full border border-line-strong bg-raised transition duration-150 hover:text-chilli active:scale-90 ${isInWishlist ? 'text-chilli' : 'text-ink-soft'} ${className}`}
    >
      <Icon name="heart" filled={isInWishlist} />
    </button>
  );
}
