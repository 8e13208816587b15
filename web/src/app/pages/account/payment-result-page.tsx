// The page that the payment gateway redirects the customer to.

import { InvalidSession, PaymentResult, Verifying } from '~/features/orders/payment-result';
import { parseQuery } from '~/lib/router/query-string';
import { useLocation } from '~/lib/router/router';
import { RequireAuth } from '~/shared/auth/require-auth';
import { useSession } from '~/shared/auth/session';

export default function PaymentResultPage() {
  const merchantOrderId = parseQuery(useLocation().search).get('merchantOrderId');
  // The server renders this page without its query string: until it is known whether the user is signed in, it shows the
  // verifying state.
  const { checking } = useSession();
  return (
    <div className="page-width min-h-[60vh] py-10 sm:py-16">
      {checking ? (
        <Verifying />
      ) : merchantOrderId ? (
        <RequireAuth title="Welcome back" hint="Sign in to see how your payment went.">
          <PaymentResult merchantOrderId={merchantOrderId} />
        </RequireAuth>
      ) : (
        <InvalidSession />
      )}
    </div>
  );
}
