// Who sent a message, if the email address is that of an account, and what they ordered.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '~/api/error';
import { formatAmount, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { Button, Spinner } from '~/ui/button';
import { CustomerOrders } from '../console/customer-parts';
import { customerPath } from '../console/url-state';
import { senderQuery } from './message-queries';

export function Sender({ id }: { id: string }) {
  const { data, isPending, error, refetch } = useQuery(senderQuery(id));
  return (
    <section aria-label="Orders of the sender" className="mt-6 rounded-md border border-line px-4 py-3">
      <h3 className="font-sans font-bold">Orders of the sender</h3>
      {isPending ? (
        <p role="status" className="mt-1 flex items-center gap-2.5 text-ink-soft">
          <Spinner className="size-4" />
          Loading orders...
        </p>
      ) : !data ? (
        <p role="alert" className="mt-1 flex flex-wrap items-center gap-x-3 text-chilli">
          {errorMessage(error, 'Failed to fetch orders')}
          <Button variant="ghost" size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      ) : !data.customer ? (
        <p className="mt-1 text-ink-soft">No account has this email address.</p>
      ) : (
        <>
          <p className="mt-1 mb-2 text-ink-soft">
            <Link className="link font-semibold [overflow-wrap:anywhere]" to={customerPath(data.customer._id)}>
              {data.customer.name || data.customer.email}
            </Link>
            {`: ${plural(data.customer.orders, 'order')}, ${formatAmount(data.customer.spentAmount)} spent`}
          </p>
          <CustomerOrders orders={data.orders} />
        </>
      )}
    </section>
  );
}
