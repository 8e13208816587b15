// The simple product list with its two buttons. Here an add is sent as `{productId, quantity: 1}` and a failed one is only
// logged, as the specification says.
import { useQueryClient } from '@tanstack/react-query';
import { useAddToCart } from '~/features/cart/cart-mutations';
import { SimpleList } from '~/features/catalogue/simple-list';
import { buildQuery, parseQuery } from '~/lib/router/query-string';
import { useLocation, useNavigate } from '~/lib/router/router';
import { openLogin } from '~/shared/auth/overlay-store';
import { isAuthenticated } from '~/shared/auth/session';
import { availablePack } from '~/shared/product/stock';
import { toast } from '~/ui/feedback/toast';

export default function SimpleProductsPage() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { add, addingIds } = useAddToCart({ logsFailure: true, sendsQuantity: true });
  return (
    <SimpleList
      category={parseQuery(search).get('category')}
      onCategory={(category) => void navigate(pathname + buildQuery({ category }))}
      onAdd={(product) => {
        const isLarge = availablePack(product) === 100;
        add({ productId: product._id, qty_50g: isLarge ? 0 : 1, qty_100g: isLarge ? 1 : 0 });
      }}
      onBuy={() => {
        if (isAuthenticated(client)) toast('Buy now functionality coming soon!');
        else openLogin();
      }}
      addingIds={addingIds}
    />
  );
}
