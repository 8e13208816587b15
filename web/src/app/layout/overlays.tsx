// The overlays of every page: cart panel and sign-in dialog. Their code is loaded when one is first opened.
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from '~/lib/router/router';
import { closeCart, closeLogin, useOverlays } from '~/shared/auth/overlay-store';

const CartPanel = lazy(() => import('~/features/cart/cart-panel'));
const LoginModal = lazy(() => import('~/features/auth/login-modal'));

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

  // Back from signing in, whether it worked or not.
  useEffect(() => {
    if (!/[?&](added|signIn)=/.test(search)) return;
    let isCurrent = true;
    const answer = ({ answerSignIn }: typeof import('./sign-in-return')) => {
      if (isCurrent) answerSignIn(search, (rest) => void navigate(pathname + rest, { replace: true }));
    };
    void import('./sign-in-return').then(answer, () => undefined);
    return () => {
      isCurrent = false;
    };
  }, [pathname, search, navigate]);

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
