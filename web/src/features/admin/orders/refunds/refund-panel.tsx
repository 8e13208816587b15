// The refunds of an order: what went back, why, who asked for it, and how it stands. A failed one can be repeated.
import { useState } from 'react';
import type { Order, Refund } from '~/api/types';
import { formatAmount, formatDateTimeIst } from '~/lib/format';
import { packsText, productName } from '~/shared/order/packs';
import { refundWords, replacedIds, restKeptText } from '~/shared/order/refund-state';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { canRepeat } from '../../console/refund-amount';
import { actorName } from '../details/order-history';
import { RefundDialog } from './refund-dialog';
import { useRetryRefund } from './refund-queries';

export function RefundPanel({ order }: { order: Order }) {
  const [refunding, setRefunding] = useState(false);
  const { refunds, refundableAmount, restKept, totalAmount } = order;
  const replaced = replacedIds(refunds);
  const canRefund = refundableAmount > 0 && order.deletedAt === null;
  if (refunds.length === 0 && refundableAmount === 0) return null;
  return (
    <section aria-label="Refunds">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 className="font-sans font-bold">Refunds</h2>
        {canRefund && (
          <Button variant="secondary" size="sm" className="!px-4" onClick={() => setRefunding(true)}>
            Refund…
          </Button>
        )}
      </div>
      <p className="text-sm text-ink-soft tabular-nums">
        {refundableAmount > 0
          ? `${formatAmount(refundableAmount)} of ${formatAmount(totalAmount)} can still be refunded.`
          : restKept > 0
            ? `${restKeptText(restKept)}.`
            : 'Everything that was paid has gone back.'}
      </p>
      {refunds.length > 0 && (
        <ul className="mt-2 divide-y divide-line rounded-md border border-line bg-surface">
          {refunds.map((refund) => (
            <li key={refund._id}>
              <RefundRow order={order} refund={refund} isReplaced={replaced.has(refund._id)} />
            </li>
          ))}
        </ul>
      )}
      <RefundDialog order={order} open={refunding} onClose={() => setRefunding(false)} />
    </section>
  );
}

function whyNotRetry({ refunds }: Order, { _id }: Refund, isReplaced: boolean): string {
  if (refunds.some(({ retryOf }) => retryOf === _id)) return 'was repeated';
  return isReplaced ? 'another refund covers it' : 'a part was refunded otherwise: refund the rest';
}

function RefundRow({ order, refund, isReplaced }: { order: Order; refund: Refund; isReplaced: boolean }) {
  const retry = useRetryRefund(order._id);
  const { label, tone } = refundWords(refund.state, 'admin');
  const canRetry = !isReplaced && canRepeat(order, refund);
  const packs = refund.lines.map((line) => `${productName(order, line.productId)} ${packsText(line)}`).join('; ');
  return (
    <div className="px-3 py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <b className="tabular-nums">{formatAmount(refund.amount)}</b>
        <Badge tone={tone}>{label}</Badge>
        {refund.retryOf && <span className="text-sm text-ink-soft">Repeated</span>}
        {refund.state === 'failed' &&
          (canRetry ? (
            <Button
              variant="secondary"
              size="sm"
              className="ml-auto !px-4"
              busy={retry.isPending}
              aria-label={`Retry the refund of ${formatAmount(refund.amount)}`}
              onClick={() => retry.mutate(refund._id)}
            >
              Retry
            </Button>
          ) : (
            <span className="text-sm text-ink-soft">{whyNotRetry(order, refund, isReplaced)}</span>
          ))}
      </p>
      <p className="[overflow-wrap:anywhere]">{refund.reason}</p>
      {packs && <p className="text-sm text-ink-soft">{packs}</p>}
      {refund.error && (
        <p className="text-sm text-chilli [overflow-wrap:anywhere]">{`Payment gateway: ${refund.error}`}</p>
      )}
      <p className="text-sm text-ink-soft tabular-nums [overflow-wrap:anywhere]">
        {formatDateTimeIst(refund.createdAt)} · {actorName(refund.requestedBy)}
      </p>
      {refund.state === 'completed' && (
        <p className="text-sm text-ink-soft tabular-nums">Done {formatDateTimeIst(refund.updatedAt)}</p>
      )}
    </div>
  );
}
