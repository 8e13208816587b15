// The delivery address page of the checkout.
import { PageTitle } from '~/ui/page-title';

export default function CheckoutPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Delivery Address" />
    </div>
  );
}
