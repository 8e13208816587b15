// What a customer is told who comes back from signing in. The URL says how it went, once: `replace` removes that from it.
import { parseQuery, withoutParameter } from '~/lib/router/query-string';
import { openCart } from '~/shared/auth/overlay-store';
import { toast } from '~/ui/feedback/toast';

const NOT_SIGNED_IN =
  'You are not signed in. Google did not confirm it, or your e-mail address is not verified there. Please try again.';
const NO_SIGN_IN_NOW = 'Signing in does not work right now. Please try again later.';

export function answerSignIn(search: string, replace: (search: string) => void): void {
  const query = parseQuery(search);
  const failure = query.get('signIn');
  let rest = search;
  // The packs that waited for the sign-in are in the cart now.
  if (query.get('added') === '1') {
    toast.success('Item added to cart successfully', { id: 'added' });
    openCart();
    rest = withoutParameter(rest, 'added');
  }
  if (failure) {
    toast.error(failure === 'unavailable' ? NO_SIGN_IN_NOW : NOT_SIGNED_IN, { id: 'sign-in' });
    rest = withoutParameter(rest, 'signIn');
  }
  if (rest !== search) replace(rest);
}
