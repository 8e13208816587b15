// Links from a delivered order to the reviews of its products.
import type { Order } from '~/api/types';
import { Link } from '~/lib/router/router';
import { orderPermissions } from '../order-model';

export function ReviewLinks({ order }: { order: Order }) {
  if (!orderPermissions.review(order)) return null;
  const names = new Map(order.items.map((item) => [item.productId, item.productName]));
  return (
    <div className="mt-4 border-t border-line pt-3">
      <p className="text-sm text-ink-soft">How do you like it? Others who cook would like to know.</p>
      <ul className="flex flex-wrap gap-x-5">
        {[...names].map(([id, name]) => (
          <li key={id}>
            <Link
              to={`/review?product=${encodeURIComponent(id)}`}
              className="link inline-flex min-h-11 items-center font-semibold text-chilli"
            >
              Review {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
