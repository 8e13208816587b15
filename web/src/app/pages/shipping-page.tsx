// Page.
import { PageTitle } from '~/ui/page-title';

export default function ShippingPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="Shipping" />
    </div>
  );
}
