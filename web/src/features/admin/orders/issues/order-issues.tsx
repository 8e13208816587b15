// Issues that an admin must resolve, such as a failed refund or a late payment. Hidden when there are none.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { OrderIssue } from '~/api/types';
import { formatDateTimeIst } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { Icon } from '~/ui/graphics/icons';
import { Fold } from '../../console/fold';
import { adminPath, useAdminUrl } from '../../console/url-state';
import { orderIssuesQuery, useResolveIssue } from '../order-queries';
import { KeepPayment } from './keep-payment';
import { kindLabel } from './order-issue-kinds';

/** Needs a refund, or a reason. */
const isKept = ({ kind }: OrderIssue) => kind === 'paid, cancelled, not refunded';

export function OrderIssues({ onOrder }: { onOrder: (orderId: string, isDeleted: boolean) => void }) {
  const { data: all = [], isError, error, refetch } = useQuery(orderIssuesQuery);
  const group = useAdminUrl().query.get('issue');
  const ofGroup = all.filter((issue) => issue.group !== '' && issue.group === group);
  // A group of which there are none left shows the others.
  const issues = ofGroup.length > 0 ? ofGroup : all;
  const resolve = useResolveIssue();
  const [keeping, setKeeping] = useState<OrderIssue | null>(null);

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
  if (issues.length === 0) return null;
  return (
    <section
      aria-labelledby="order-issues"
      className="mt-4 rounded-lg border border-turmeric bg-turmeric-wash px-5 py-3"
    >
      <Fold
        isOpen={group !== ''}
        title={
          <h2 id="order-issues" className="flex items-center gap-2 font-sans font-bold">
            <Icon name="alert" className="size-5" />
            Needs a person
            <span className="font-normal tabular-nums">({issues.length})</span>
          </h2>
        }
      >
        <ul className="mt-1 max-h-72 divide-y divide-line-strong/30 overflow-y-auto">
          {issues.map((issue) => (
            <li key={issue._id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
              <div className="min-w-60 flex-1">
                <p className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-semibold">{kindLabel(issue.kind)}</span>
                  <span className="tabular-nums">
                    {shortId(issue.orderId)}
                    {issue.orderDeleted && ' (deleted)'}
                  </span>
                  <span className="text-sm text-ink-soft tabular-nums">{formatDateTimeIst(issue.createdAt)}</span>
                </p>
                {issue.detail && <p className="text-sm">{issue.detail}</p>}
              </div>
              <Button
                variant="ghost"
                size="sm"
                className="!px-3 max-sm:-ml-3"
                aria-label={`Show ${issue.orderDeleted ? 'deleted order' : 'order'} ${shortId(issue.orderId)}`}
                onClick={() => onOrder(issue.orderId, issue.orderDeleted)}
              >
                Show {issue.orderDeleted ? 'deleted order' : 'order'}
              </Button>
              <Button
                variant="secondary"
                size="sm"
                className="!px-4"
                busy={resolve.isPending && resolve.variables.id === issue._id}
                aria-label={`${isKept(issue) ? 'Keep the money' : 'Settled'}: ${kindLabel(issue.kind)}, order ${shortId(issue.orderId)}`}
                onClick={() => (isKept(issue) ? setKeeping(issue) : resolve.mutate({ id: issue._id }))}
              >
                {isKept(issue) ? 'Keep the money…' : 'Settled'}
              </Button>
            </li>
          ))}
        </ul>
        {issues.length < all.length && (
          <Link to={adminPath('orders')} className="link inline-flex min-h-11 items-center">
            Show all {all.length}
          </Link>
        )}
      </Fold>
      {keeping && <KeepPayment issue={keeping} onClose={() => setKeeping(null)} />}
    </section>
  );
}
