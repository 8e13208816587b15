// The refunds of an order, as its customer sees them. A failed refund that the shop has repeated or replaced is not
// shown: the other one is.
import type { Refund } from '~/api/types';
import { formatAmount, formatDate } from '~/lib/format';
import { refundWords, replacedIds } from '~/shared/order/refund-state';
import { Badge } from '~/ui/badge';

export function RefundList({ refunds }: { refunds: Refund[] }) {
  const replaced = replacedIds(refunds);
  const shown = refunds.filter(({ _id }) => !replaced.has(_id));
  return (
    <ul className="divide-y divide-line rounded-md border border-line bg-raised">
      {shown.map((refund) => {
        const { label, tone } = refundWords(refund.state, 'customer');
        return (
          <li key={refund._id} className="px-4 py-3">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
              <p className="text-lg font-bold tabular-nums">{formatAmount(refund.amount)}</p>
              <Badge tone={tone}>{label}</Badge>
            </div>
            <p className="mt-0.5 text-[0.9375rem] [overflow-wrap:anywhere]">{refundReason(refund)}</p>
            <p className="text-sm text-ink-soft">
              <RefundDates refund={refund} />
            </p>
          </li>
        );
      })}
    </ul>
  );
}

export function refundReason({ requestedBy, reason }: Pick<Refund, 'requestedBy' | 'reason'>): string {
  return requestedBy === 'customer' ? 'You cancelled the order' : reason;
}

function RefundDates({ refund: { state, createdAt, updatedAt } }: { refund: Refund }) {
  if (state === 'completed') return `Sent back on ${formatDate(updatedAt)}`;
  const since = `Since ${formatDate(createdAt)}`;
  if (state === 'failed') return since;
  return (
    <>
      {since}, with you within <span className="whitespace-nowrap">3-5 days</span>
    </>
  );
}
