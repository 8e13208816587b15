// The batches of the shop, and who got one of them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { ListedBatch } from '~/api/types';
import { formatDate, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { Button, buttonClass, Spinner } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { AdminIcon } from '../console/admin-icon';
import { adminPath } from '../console/url-state';
import { recipientsQuery } from './stock-queries';
import { batchState, dayText, gramsText, isToWriteOff } from './stock-words';

type Props = {
  batches: ListedBatch[];
  /** Of a batch that is too old to be sent. */
  onWriteOff: (batch: ListedBatch) => void;
};

export function BatchList({ batches, onWriteOff }: Props) {
  const [shown, setShown] = useState<ListedBatch | null>(null);
  return (
    <>
      <ul aria-label="List of batches" className="grid gap-3 xl:grid-cols-2">
        {batches.map((batch) => (
          <BatchCard
            key={batch._id}
            batch={batch}
            onShow={() => setShown(batch)}
            onWriteOff={() => onWriteOff(batch)}
          />
        ))}
      </ul>
      <Dialog
        open={shown !== null}
        onClose={() => setShown(null)}
        title={shown ? `Who got batch ${shown.number}` : ''}
        width="46rem"
      >
        {shown && <Recipients id={shown._id} />}
      </Dialog>
    </>
  );
}

type CardProps = { batch: ListedBatch; onShow: () => void; onWriteOff: () => void };

function BatchCard({ batch, onShow, onWriteOff }: CardProps) {
  const { text, tone } = batchState(batch);
  return (
    <li className="rounded-lg border border-line bg-surface px-5 py-4 shadow-card">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <h2 className="font-sans text-lg font-bold break-words">{batch.number}</h2>
          <p>{batch.productName}</p>
        </div>
        <Badge tone={tone}>{text}</Badge>
      </div>
      <div className="mt-2 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p className="text-sm text-ink-soft tabular-nums">
          Best before {dayText(batch.bestBefore)}
          {batch.madeOn && `, made on ${dayText(batch.madeOn)}`}
          <br />
          {gramsText(batch.leftGrams)} of {gramsText(batch.receivedGrams)} left
        </p>
        <div className="-mr-3 flex flex-wrap gap-x-2 max-sm:-ml-3">
          <Button variant="ghost" size="sm" className="!px-3" disabled={batch.orders === 0} onClick={onShow}>
            {batch.orders === 0 ? 'No orders yet' : `Who got it (${plural(batch.orders, 'order')})`}
            <span className="sr-only"> {batch.number}</span>
          </Button>
          {isToWriteOff(batch) && (
            <Button variant="secondary" size="sm" className="!px-4" onClick={onWriteOff}>
              Write off<span className="sr-only"> {batch.number}</span>
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

function Recipients({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useQuery(recipientsQuery(id));
  if (isPending) {
    return (
      <p role="status" className="flex items-center justify-center gap-3 py-12 text-ink-soft">
        <Spinner className="size-5" />
        Loading who got it...
      </p>
    );
  }
  if (!data) {
    return (
      <ErrorState message={errorMessage(error, 'Failed to fetch who got the batch')} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-soft">{plural(data.recipients.length, 'order')}, the first packed first</p>
        <a
          href={`/api/admin/batches/${encodeURIComponent(id)}/recipients.csv`}
          download
          className={buttonClass('secondary', 'sm')}
        >
          <AdminIcon name="download" />
          Export CSV
        </a>
      </div>
      <ul className="mt-4 max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-md border border-line">
        {data.recipients.map((recipient) => (
          <li key={recipient.orderId} className="px-4 py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <b className="font-semibold">{recipient.name || 'Customer'}</b>
              <span className="text-sm tabular-nums">
                {packsText(recipient)} · {recipient.orderStatus}
              </span>
            </p>
            <p className="text-sm">
              {recipient.address}, {recipient.city} {recipient.pincode}
            </p>
            <p className="text-sm [overflow-wrap:anywhere] text-ink-soft tabular-nums">
              {[recipient.phone, recipient.email].filter(Boolean).join(' · ')} · packed {formatDate(recipient.packedAt)}{' '}
              ·{' '}
              <Link to={adminPath('orders', { orderId: recipient.orderId })} className="link">
                Order {shortId(recipient.orderId)}
              </Link>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function packsText({ qty_50g, qty_100g }: { qty_50g: number; qty_100g: number }): string {
  const parts = [qty_50g > 0 && `${qty_50g} × 50 g`, qty_100g > 0 && `${qty_100g} × 100 g`];
  return parts.filter(Boolean).join(', ');
}
