// Where the payment gateway sends the shopper back to.
import { useLocation } from 'react-router';
import { parseQuery } from '~/api/query-string';
import { InvalidSession, PaymentResult } from '~/features/orders/payment-result';
import { SignedIn } from '../layout/signed-in';

export default function PaymentResultPage() {
  const merchantOrderId = parseQuery(useLocation().search).get('merchantOrderId');
  return (
    <div className="wrap min-h-[60vh] py-10 sm:py-16">
      {merchantOrderId ? (
        <SignedIn invitation="Welcome back" hint="Sign in to see how your payment went.">
          <PaymentResult merchantOrderId={merchantOrderId} />
        </SignedIn>
      ) : (
        <InvalidSession />
      )}
    </div>
  );
}
