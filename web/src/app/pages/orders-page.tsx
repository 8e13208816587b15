// The signed-in person's orders.
import { PageTitle } from '~/ui/page-title';

export default function OrdersPage() {
  return (
    <div className="wrap min-h-[60vh]">
      <PageTitle title="My Orders" />
    </div>
  );
}
