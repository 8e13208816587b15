// The panels that may lie over any page. Their code is fetched when one is first asked for.
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { parseQuery } from '~/api/query-string';
import { notify } from '~/ui/notify';
import { closeCart, closeLogin, openCart, usePanels } from '~/ui/panels';

const CartPanel = lazy(() => import('~/features/cart/cart-panel'));
const LoginModal = lazy(() => import('~/features/auth/login-modal'));

export function Panels() {
  const { cart, login, wanted } = usePanels();
  const { pathname, search, key } = useLocation();
  const navigate = useNavigate();
  const seenCart = useEver(cart);
  const seenLogin = useEver(login);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is new for every visit, also from /checkout to itself
  useEffect(() => {
    if (pathname === '/checkout') closeCart();
  }, [pathname, key]);

  // Back from signing in with packs that were waiting: they are in the cart now.
  const justAdded = parseQuery(search).get('added') === '1';
  useEffect(() => {
    if (!justAdded) return;
    notify.success('Item added to cart successfully', { id: 'added' });
    openCart();
    const rest = search.replace(/([?&])added=1(&|$)/, (_, lead, tail) => (tail ? lead : ''));
    void navigate(pathname + rest, { replace: true });
  }, [justAdded, pathname, search, navigate]);

  return (
    <Suspense fallback={null}>
      {seenCart && <CartPanel open={cart} onClose={closeCart} />}
      {seenLogin && <LoginModal open={login} wanted={wanted} onClose={closeLogin} />}
    </Suspense>
  );
}

/** Once shown, a panel stays mounted so that closing can be animated. */
function useEver(now: boolean): boolean {
  const ever = useRef(false);
  if (now) ever.current = true;
  return ever.current;
}
