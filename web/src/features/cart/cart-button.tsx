// The cart in the header, with the number of packs on it.
import { plural } from '~/lib/plural';
import { openCart } from '~/shared/auth/overlay-store';
import { Icon } from '~/ui/graphics/icons';
import { useCart, useCartOfOtherTabs } from './cart-queries';

export function CartButton() {
  const { totalPacks, version } = useCart().cart;
  useCartOfOtherTabs(version);
  return (
    <button
      type="button"
      onClick={() => openCart()}
      aria-label={totalPacks > 0 ? `Cart, ${plural(totalPacks, 'pack')}` : 'Cart'}
      className="relative grid size-11 place-items-center rounded-full transition hover:bg-paper-deep"
    >
      <Icon name="cart" />
      {totalPacks > 0 && (
        <span
          key={totalPacks}
          className="animate-rise absolute -top-0.5 -right-0.5 grid h-5.5 min-w-5.5 place-items-center rounded-full bg-chilli-fill px-1.5 text-xs font-bold text-on-chilli tabular-nums"
        >
          {totalPacks}
        </span>
      )}
    </button>
  );
}
