// The panels that may lie over any page. Their code is fetched when one is first asked for.
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { parseQuery, withoutParameter } from '~/api/query-string';
import { notify } from '~/ui/notify';
import { closeCart, closeLogin, openCart, usePanels } from '~/ui/panels';

const CartPanel = lazy(() => import('~/features/cart/cart-panel'));
const LoginModal = lazy(() => import('~/features/auth/login-modal'));

const NOT_SIGNED_IN =
  'You are not signed in. Google did not confirm it, or your e-mail address is not verified there. Please try again.';
const NO_SIGN_IN_NOW = 'Signing in does not work right now. Please try again later.';

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
    void navigate(pathname + withoutParameter(search, 'added'), { replace: true });
  }, [justAdded, pathname, search, navigate]);

  // Back from a sign-in that did not work: say so once, then the address is an ordinary one again.
  const failure = parseQuery(search).get('signIn');
  useEffect(() => {
    if (!failure) return;
    notify.error(failure === 'unavailable' ? NO_SIGN_IN_NOW : NOT_SIGNED_IN, { id: 'sign-in' });
    void navigate(pathname + withoutParameter(search, 'signIn'), { replace: true });
  }, [failure, pathname, search, navigate]);

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
