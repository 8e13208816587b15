// The cart in the header, with the number of packs on it; and the way back to it from the checkout.
import { plural } from '~/lib/plural';
import { openCart } from '~/shared/auth/overlay-store';
import { Icon } from '~/ui/graphics/icons';
import { useCart, useCartOfOtherTabs } from './cart-queries';

/** In every header, so that it keeps the cart the same in all tabs. */
function useHeaderCart(): number {
  const { totalPacks, version } = useCart().cart;
  useCartOfOtherTabs(version);
  return totalPacks;
}

export function CartButton() {
  const totalPacks = useHeaderCart();
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

export function BackToCart() {
  const totalPacks = useHeaderCart();
  return (
    <button
      type="button"
      onClick={() => openCart()}
      className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-3 font-semibold transition hover:bg-paper-deep"
    >
      <Icon name="left" className="size-5" />
      <span className="max-sm:hidden">Back to the cart</span>
      <span className="sm:hidden">Cart</span>
      {totalPacks > 0 && <span className="sr-only">, {plural(totalPacks, 'pack')}</span>}
    </button>
  );
}
