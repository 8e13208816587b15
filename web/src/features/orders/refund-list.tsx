// The refunds of an order, as its customer sees them. A failed refund that the shop has repeated is not shown: its
// repetition is.
import type { Refund } from '~/api/types';
import { refundWords, retriedIds } from '~/shared/order/refund-state';
import { Badge } from '~/ui/badge';
import { formatDate, formatRupees } from '~/ui/format';

export function RefundList({ refunds }: { refunds: Refund[] }) {
  const retried = retriedIds(refunds);
  const shown = refunds.filter(({ _id }) => !retried.has(_id));
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-raised">
      {shown.map((refund) => {
        const { label, tone } = refundWords(refund.state, 'customer');
        return (
          <li key={refund._id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5 px-4 py-3">
            <div className="min-w-40 flex-1">
              <p className="text-lg font-bold tabular-nums">{formatRupees(refund.amount, 2)}</p>
              <p className="text-[0.9375rem] [overflow-wrap:anywhere]">{refundReason(refund)}</p>
              <p className="text-sm text-ink-soft">{refundDates(refund)}</p>
            </div>
            <Badge tone={tone}>{label}</Badge>
          </li>
        );
      })}
    </ul>
  );
}

export function refundReason({ requestedBy, reason }: Pick<Refund, 'requestedBy' | 'reason'>): string {
  return requestedBy === 'customer' ? 'You cancelled the order' : reason;
}

function refundDates({ state, createdAt, updatedAt }: Refund): string {
  const since = `Since ${formatDate(createdAt)}`;
  if (state === 'completed') return `Sent back on ${formatDate(updatedAt)}`;
  return state === 'failed' ? since : `${since}, with you within 3-5 days`;
}
