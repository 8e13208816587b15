// What a press of 'Pack, ship and print' has done: the file, and the orders that are not in it.
import { useEffect, useRef } from 'react';
import type { OrderToPackAndShip } from '~/api/types';
import { plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { Button, buttonClass, Spinner } from '~/ui/button';
import { AdminIcon } from '../../console/admin-icon';
import { type LeftOut, type Outcome, papersUrl } from './run';

type Props = {
  outcome: Outcome;
  hasPartner: boolean;
  isBusy: boolean;
  /** Books a parcel again whose booking has failed. */
  onRetry: (row: OrderToPackAndShip) => void;
};

export function RunPanel({ outcome: { ready, booking, leftOut }, hasPartner, isBusy, onRetry }: Props) {
  const file = useRef<HTMLAnchorElement>(null);
  const isDone = booking === 0 && ready.length > 0;
  useEffect(() => {
    if (isDone) file.current?.focus();
  }, [isDone]);
  return (
    <section
      aria-label="Packed and shipped"
      className="space-y-4 rounded-lg border border-line-strong bg-raised p-4 shadow-card sm:p-5"
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <div role="status" className="min-w-0 flex-1 basis-64">
          {booking > 0 ? (
            <p className="flex items-center gap-2.5 font-semibold">
              <Spinner className="size-5 shrink-0" />
              Booking {plural(booking, 'parcel')}...
            </p>
          ) : (
            <p className="font-semibold">
              {ready.length > 0
                ? `${plural(ready.length, 'order')} ${hasPartner ? 'packed and booked' : 'packed'}`
                : 'No order is ready to print'}
            </p>
          )}
          {isDone && (
            <p className="text-sm text-ink-soft">
              {hasPartner
                ? 'One file: pick list, then for each order packing slip, label and invoice. The pickup is requested.'
                : 'One file: pick list, then for each order packing slip and invoice.'}
            </p>
          )}
        </div>
        {ready.length > 0 && (
          <a
            ref={file}
            href={papersUrl(ready)}
            target="_blank"
            rel="noopener"
            className={buttonClass(isDone ? 'primary' : 'secondary', 'md')}
          >
            <AdminIcon name="download" />
            Open the file{booking > 0 && ` (${ready.length})`}
            <span className="sr-only">(PDF, opens in a new tab)</span>
          </a>
        )}
      </div>
      {leftOut.length > 0 && (
        <div>
          <h2 className="font-sans text-base font-bold text-chilli">
            {plural(leftOut.length, 'order')} left out of the file
          </h2>
          <ul aria-label="Left out" className="mt-2 divide-y divide-line">
            {leftOut.map((each) => (
              <li key={each.orderId} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
                <LeftOutOrder {...each} isBusy={isBusy} onRetry={onRetry} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function LeftOutOrder({
  orderId,
  reason,
  row,
  to,
  action,
  isBusy,
  onRetry,
}: LeftOut & Pick<Props, 'isBusy' | 'onRetry'>) {
  return (
    <>
      <p className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
        <b className="tabular-nums">{shortId(orderId)}</b> {reason}
      </p>
      {row && (
        <Button
          variant="secondary"
          size="sm"
          busy={isBusy}
          aria-label={`Try order ${shortId(orderId)} again`}
          onClick={() => onRetry(row)}
        >
          Try again
        </Button>
      )}
      <Link className="link inline-flex min-h-11 items-center font-semibold" to={to}>
        {action}
        <span className="sr-only"> of {shortId(orderId)}</span>
      </Link>
    </>
  );
}
