// Where the payment gateway sends the shopper back to.
import { PageTitle } from '~/ui/page-title';

export default function PaymentResultPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Payment" />
    </div>
  );
}
