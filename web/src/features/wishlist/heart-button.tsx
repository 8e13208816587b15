// The heart on a product: full when it is on the wishlist.
import { Icon } from '~/ui/icons';
import { useHeart } from './wishlist-queries';

export function HeartButton({
  productId,
  name,
  className = '',
}: {
  productId: string;
  name: string;
  className?: string;
}) {
  const { isLoved, toggle, busy } = useHeart(productId);
  return (
    <button
      type="button"
      aria-pressed={isLoved}
      aria-label={isLoved ? `Remove ${name} from wishlist` : `Add ${name} to wishlist`}
      disabled={busy}
      onClick={toggle}
      className={`grid size-12 place-items-center rounded-full border border-line-strong bg-raised transition duration-150 hover:text-chilli active:scale-90 ${isLoved ? 'text-chilli' : 'text-ink-soft'} ${className}`}
    >
      <Icon name="heart" filled={isLoved} />
    </button>
  );
}
