// Unpaid orders that reserve stock, the largest first, each with a button to release it. Hidden when there are none.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '~/api/error';
import type { Reservation } from '~/api/types';
import { formatAmount, formatDateTimeIst, formatNumber } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { Fold } from '../../console/fold';
import { reservedStockQuery, useReleaseStock, weightText } from './reserved-stock';

export function ReservedStockPanel({ onOrder }: { onOrder: (orderId: string) => void }) {
  const { data, isError, error, refetch } = useQuery(reservedStockQuery);
  const orders = data?.orders ?? [];
  const hasFailed = isError && !data;
  if (orders.length === 0 && !hasFailed) return null;
  return (
    <section aria-labelledby="reserved-stock" className="mt-4 rounded-lg border border-line bg-surface px-5 py-3">
      <Fold
        isOpen={hasFailed}
        title={
          <h2 id="reserved-stock" className="font-sans font-bold">
            Stock reserved by unpaid orders
            {orders.length > 0 && (
              <span className="ml-2 font-normal tabular-nums">
                ({orders.length}
                {data?.more && '+'})
              </span>
            )}
          </h2>
        }
      >
        {hasFailed ? (
          <p role="alert" className="mt-1 flex flex-wrap items-center gap-3 text-chilli">
            {errorMessage(error, 'Failed to fetch reserved stock')}
            <Button variant="ghost" size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          </p>
        ) : (
          <ul className="mt-1 max-h-72 divide-y divide-line overflow-y-auto">
            {orders.map((order) => (
              <Row key={order.orderId} order={order} onOrder={onOrder} />
            ))}
          </ul>
        )}
      </Fold>
    </section>
  );
}

function Row({ order, onOrder }: { order: Reservation; onOrder: (orderId: string) => void }) {
  const release = useReleaseStock();
  const name = shortId(order.orderId);
  const held = [
    `${formatNumber(order.packs)} ${order.packs === 1 ? 'pack' : 'packs'}`,
    weightText(order.grams),
    formatAmount(order.totalAmount),
  ].join(' · ');
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
      <div className="min-w-60 flex-1">
        <p className="flex flex-wrap gap-x-2">
          <span className="font-semibold">{order.customerName || 'Customer'}</span>
          <span className="break-all text-ink-soft">{order.customerEmail}</span>
        </p>
        <p className="flex flex-wrap gap-x-2 text-sm tabular-nums">
          <span>{held}</span>
          <span className="text-ink-soft">until {formatDateTimeIst(order.reservedUntil)}</span>
        </p>
      </div>
      <Button variant="ghost" size="sm" className="!px-3 max-sm:-ml-3" onClick={() => onOrder(order.orderId)}>
        Order {name}
      </Button>
      <Button
        variant="secondary"
        size="sm"
        className="!px-4"
        busy={release.isPending}
        aria-label={`Release the stock of order ${name}`}
        onClick={() => release.mutate(order.orderId)}
      >
        Release
      </Button>
    </li>
  );
}
