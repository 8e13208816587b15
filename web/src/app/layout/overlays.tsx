// The overlays of every page: cart panel and sign-in dialog. Their code is loaded when one is first opened.
import { lazy, Suspense, useEffect, useRef } from 'react';
import { parseQuery, withoutParameter } from '~/lib/router/query-string';
import { useLocation, useNavigate } from '~/lib/router/router';
import { closeCart, closeLogin, openCart, useOverlays } from '~/shared/auth/overlay-store';
import { toast } from '~/ui/feedback/toast';

const CartPanel = lazy(() => import('~/features/cart/cart-panel'));
const LoginModal = lazy(() => import('~/features/auth/login-modal'));

const NOT_SIGNED_IN =
  'You are not signed in. Google did not confirm it, or your e-mail address is not verified there. Please try again.';
const NO_SIGN_IN_NOW = 'Signing in does not work right now. Please try again later.';

export function Overlays() {
  const { cart, cartNote, login, pendingItem } = useOverlays();
  const { pathname, search, key } = useLocation();
  const navigate = useNavigate();
  const seenCart = useHasBeen(cart);
  const seenLogin = useHasBeen(login);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is new for every visit, also from /checkout to itself
  useEffect(() => {
    if (pathname === '/checkout') closeCart();
  }, [pathname, key]);

  // Back from signing in: the pending packs are in the cart now.
  const justAdded = parseQuery(search).get('added') === '1';
  useEffect(() => {
    if (!justAdded) return;
    toast.success('Item added to cart successfully', { id: 'added' });
    openCart();
    void navigate(pathname + withoutParameter(search, 'added'), { replace: true });
  }, [justAdded, pathname, search, navigate]);

  // Back from a sign-in that did not work: say so once, then remove it from the URL.
  const failure = parseQuery(search).get('signIn');
  useEffect(() => {
    if (!failure) return;
    toast.error(failure === 'unavailable' ? NO_SIGN_IN_NOW : NOT_SIGNED_IN, { id: 'sign-in' });
    void navigate(pathname + withoutParameter(search, 'signIn'), { replace: true });
  }, [failure, pathname, search, navigate]);

  return (
    <Suspense fallback={null}>
      {seenCart && <CartPanel open={cart} note={cartNote} onClose={closeCart} />}
      {seenLogin && <LoginModal open={login} pendingItem={pendingItem} onClose={closeLogin} />}
    </Suspense>
  );
}

/** Once shown, a panel stays mounted so that closing can be animated. */
function useHasBeen(now: boolean): boolean {
  const ever = useRef(false);
  if (now) ever.current = true;
  return ever.current;
}
