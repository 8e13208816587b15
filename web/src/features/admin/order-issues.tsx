// Issues that an admin must resolve, such as a failed refund or a late payment. Hidden when there are none.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '~/api/client';
import { Button } from '~/ui/button';
import { formatDateTime } from '~/ui/format';
import { Icon } from '~/ui/icons';
import { shortId } from '~/ui/order-status';
import { kindLabel } from './order-issue-kinds';
import { orderIssuesQuery, useResolveIssue } from './order-queries';

export function OrderIssues({ onOrder }: { onOrder: (orderId: string) => void }) {
  const { data: concerns = [], isError, error, refetch } = useQuery(orderIssuesQuery);
  const settle = useResolveIssue();

  if (isError) {
    return (
      <p role="alert" className="mt-4 flex flex-wrap items-center gap-3 text-chilli">
        {errorMessage(error, 'Failed to fetch what needs a person')}
        <Button variant="ghost" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (concerns.length === 0) return null;
  return (
    <section aria-labelledby="concerns" className="mt-4 rounded-lg border border-turmeric bg-turmeric-wash px-5 py-3">
      <h2 id="concerns" className="flex items-center gap-2 font-sans font-bold">
        <Icon name="alert" className="size-5" />
        Needs a person
        <span className="font-normal tabular-nums">({concerns.length})</span>
      </h2>
      <ul className="mt-1 max-h-72 divide-y divide-line-strong/30 overflow-y-auto">
        {concerns.map((concern) => (
          <li key={concern._id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
            <div className="min-w-60 flex-1">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="font-semibold">{kindLabel(concern.kind)}</span>
                <span className="tabular-nums">
                  {shortId(concern.orderId)}
                  {concern.orderDeleted && ' (deleted)'}
                </span>
                <span className="text-sm text-ink-soft tabular-nums">{formatDateTime(concern.createdAt)}</span>
              </p>
              {concern.detail && <p className="text-sm">{concern.detail}</p>}
            </div>
            {!concern.orderDeleted && (
              <Button
                variant="ghost"
                size="sm"
                className="!px-3 max-sm:-ml-3"
                aria-label={`Show order ${shortId(concern.orderId)}`}
                onClick={() => onOrder(concern.orderId)}
              >
                Show order
              </Button>
            )}
            <Button
              variant="secondary"
              size="sm"
              className="!px-4"
              busy={settle.isPending && settle.variables === concern._id}
              aria-label={`Settled: ${kindLabel(concern.kind)}, order ${shortId(concern.orderId)}`}
              onClick={() => settle.mutate(concern._id)}
            >
              Settled
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
