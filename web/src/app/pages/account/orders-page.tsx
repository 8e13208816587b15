// The user's orders.

import { OrdersView } from '~/features/orders/orders-view';
import { parseQuery } from '~/lib/router/query-string';
import { useLocation, useNavigate } from '~/lib/router/router';
import { RequireAuth } from '~/shared/auth/require-auth';
import { PageTitle } from '~/ui/page-title';

export default function OrdersPage() {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const query = parseQuery(search);
  // The link of an email. It only offers to buy again: following a link must not change the cart.
  const buyAgainId = query.get('buy-again');
  const openId = query.get('order') || buyAgainId;
  const close = () => {
    if (!openId) return;
    // Opened from the list, closing goes back; opened by a link, there is no list to go back to.
    if (state === 'from-list') void navigate(-1);
    else void navigate(pathname, { replace: true });
  };
  return (
    <div className="page-width min-h-dvh pb-16">
      <PageTitle title="My Orders" />
      <RequireAuth title="What did you cook last time?" hint="Sign in to see your orders and where they are.">
        <OrdersView
          openId={openId}
          offerBuyAgain={buyAgainId !== ''}
          onOpen={(id) => void navigate(`${pathname}?order=${encodeURIComponent(id)}`, { state: 'from-list' })}
          onClose={close}
        />
      </RequireAuth>
    </div>
  );
}
