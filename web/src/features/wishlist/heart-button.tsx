// The wishlist button of a product: a heart, filled when the product is on the wishlist.
import { Icon } from '~/ui/graphics/more-icons';
import { useWishlistToggle } from './wishlist-queries';

type Props = { productId: string; name: string };

export function HeartButton({ productId, name, className = '' }: Props & { className?: string }) {
  const { isInWishlist, button } = useHeart({ productId, name });
  return (
    <button
      {...button}
      className={`grid size-12 place-items-center rounded-full border border-line-strong bg-raised transition duration-150 hover:text-chilli active:scale-90 ${isInWishlist ? 'text-chilli' : 'text-ink-soft'} ${className}`}
    >
      <Icon name="heart" filled={isInWishlist} />
    </button>
  );
}

/** On the image of a card: what is seen is smaller than what can be pressed. */
export function CardHeart({ product: { _id, product_name } }: { product: { _id: string; product_name: string } }) {
  const { isInWishlist, button } = useHeart({ productId: _id, name: product_name });
  return (
    <button {...button} className="group/heart grid size-11 place-items-center rounded-full">
      <span
        className={`grid size-9 place-items-center rounded-full bg-raised/90 shadow-card transition duration-150 group-hover/heart:text-chilli group-active/heart:scale-90 ${isInWishlist ? 'text-chilli' : 'text-ink-soft'}`}
      >
        <Icon name="heart" filled={isInWishlist} className="size-5" />
      </span>
    </button>
  );
}

function useHeart({ productId, name }: Props) {
  const { isInWishlist, toggle, busy } = useWishlistToggle(productId);
  const button = {
    type: 'button',
    'aria-pressed': isInWishlist,
    'aria-label': isInWishlist ? `Remove ${name} from wishlist` : `Add ${name} to wishlist`,
    disabled: busy,
    onClick: toggle,
  } as const;
  return { isInWishlist, button };
}
