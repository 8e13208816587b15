// The list of the user's orders, newest first. The order whose details are open is in the URL, so that Back closes it and
// it can be linked to.
import { ErrorState } from '~/ui/feedback/error-state';
import { EmptyState, Loading, Skeleton } from '~/ui/feedback/states';
import { OrderDetails } from './details/order-details';
import { OrderCard } from './list/order-card';
import { useOrders, useOrdersOfOtherTabs } from './order-queries';

type Props = {
  openId: string;
  /** The customer came to buy the open order again. */
  offerBuyAgain: boolean;
  onOpen: (id: string) => void;
  onClose: () => void;
};

export function OrdersView({ openId, offerBuyAgain, onOpen, onClose }: Props) {
  useOrdersOfOtherTabs();
  const { orders, loading, failed, retry } = useOrders();
  if (loading) {
    return (
      <Loading text="Loading orders...">
        <div className="grid gap-5">
          <Skeleton className="h-96 !rounded-lg" />
          <Skeleton className="h-96 !rounded-lg" />
        </div>
      </Loading>
    );
  }
  if (failed) return <ErrorState message="Failed to load orders" onRetry={() => void retry()} />;
  if (orders.length === 0) {
    return (
      <EmptyState
        text="No orders yet."
        hint="Your first parcel is a few taps away."
        action={{ to: '/sub-products', label: 'Browse masalas' }}
      />
    );
  }
  return (
    <>
      <ul className="grid gap-5">
        {orders.map((order) => (
          <li key={order._id}>
            <OrderCard order={order} onOpen={() => onOpen(order._id)} />
          </li>
        ))}
      </ul>
      <OrderDetails id={openId} offerBuyAgain={offerBuyAgain} onClose={onClose} />
    </>
  );
}
