// Where the payment gateway sends the shopper back to.
import { useLocation } from 'react-router';
import { parseQuery } from '~/api/query-string';
import { useSession } from '~/api/session';
import { InvalidSession, PaymentResult, Verifying } from '~/features/orders/payment-result';
import { SignedIn } from '../layout/signed-in';

export default function PaymentResultPage() {
  const merchantOrderId = parseQuery(useLocation().search).get('merchantOrderId');
  // The page is rendered for everyone alike, without what stands behind the question mark: until it is known who is
  // here, it only says that it is looking.
  const { checking } = useSession();
  return (
    <div className="wrap min-h-[60vh] py-10 sm:py-16">
      {checking ? (
        <Verifying />
      ) : merchantOrderId ? (
        <SignedIn invitation="Welcome back" hint="Sign in to see how your payment went.">
          <PaymentResult merchantOrderId={merchantOrderId} />
        </SignedIn>
      ) : (
        <InvalidSession />
      )}
    </div>
  );
}
