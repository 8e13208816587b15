// One parcel of the list: where it is, what it costs, what the server does with it, and what the owner can do.
import { type ReactNode, useState } from 'react';
import type { Shipment } from '~/api/types';
import { formatAmount, formatDateTimeIst, formatDay, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { shipmentLabel, shipmentTone } from '~/shared/order/shipment-status';
import { Badge } from '~/ui/badge';
import { Button, Spinner } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { ParcelDecision } from '../console/parcel-decision';
import { adminPath } from '../console/url-state';
import { canPrint, formatWeight, stepText } from './shipment-group';
import { useCancelShipment, useRetryShipment } from './shipment-queries';

type Props = { shipment: Shipment; isChosen: boolean; onToggle: () => void };

export function ShipmentItem({ shipment, isChosen, onToggle }: Props) {
  const { orderId, customer, city, pincode, courier, trackingNumber, trackingUrl, status } = shipment;
  const number = shortId(orderId);
  return (
    <article
      aria-label={`Parcel of order ${number}`}
      className="rounded-lg border border-line bg-surface p-4 shadow-card sm:px-5"
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        {canPrint(shipment) && (
          <label className="-m-2 grid size-11 place-items-center">
            <input type="checkbox" className="size-5 accent-cardamom" checked={isChosen} onChange={onToggle} />
            <span className="sr-only">Select the parcel of order {number}</span>
          </label>
        )}
        <div className="min-w-40 flex-1">
          <p className="font-semibold [overflow-wrap:anywhere]">
            {customer}, {city} {pincode}
          </p>
          <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">
            Order{' '}
            <Link className="link tabular-nums" to={adminPath('orders', { orderId })}>
              {number}
            </Link>
            {trackingNumber && (
              <>
                {' · '}
                {courier}{' '}
                {trackingUrl ? (
                  <a className="link tabular-nums" href={trackingUrl} target="_blank" rel="noopener noreferrer">
                    {trackingNumber}
                    <span className="sr-only"> (opens in a new tab)</span>
                  </a>
                ) : (
                  <span className="tabular-nums">{trackingNumber}</span>
                )}
              </>
            )}
          </p>
        </div>
        <Badge tone={shipmentTone(status)}>{shipmentLabel(status)}</Badge>
      </div>
      <Facts shipment={shipment} />
      <Progress shipment={shipment} />
      <Actions shipment={shipment} />
    </article>
  );
}

function Facts({ shipment }: { shipment: Shipment }) {
  const { weightGrams, cost, returnCost, expectedBy, pickupAt, pickedUpAt, endedAt, daysUnderWay, status } = shipment;
  const { hasLabel, labelPrintedAt } = shipment;
  const facts: [string, ReactNode][] = [['Weight', formatWeight(weightGrams)]];
  if (hasLabel) facts.push(['Label', labelPrintedAt ? 'Printed' : 'Not printed']);
  if (cost !== null) facts.push(['Cost', formatAmount(cost)]);
  if (returnCost !== null && status === 'returned') facts.push(['Return', formatAmount(returnCost)]);
  if (endedAt) {
    const days = daysUnderWay === null ? '' : ` (${plural(daysUnderWay, 'day')})`;
    facts.push([status === 'delivered' ? 'Delivered' : 'Ended', formatDateTimeIst(endedAt) + days]);
  } else {
    if (pickedUpAt) facts.push(['Picked up', formatDateTimeIst(pickedUpAt)]);
    else if (pickupAt) facts.push(['Pickup', formatDateTimeIst(pickupAt)]);
    if (expectedBy) facts.push(['Expected by', formatDay(expectedBy)]);
  }
  return (
    <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm tabular-nums">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Progress({ shipment }: { shipment: Shipment }) {
  const text = stepText(shipment);
  const retry = useRetryShipment();
  if (shipment.error) {
    return (
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3 rounded-md bg-chilli-wash px-4 py-2.5 text-chilli">
        <p className="font-semibold [overflow-wrap:anywhere]">
          {text ? `${text}: ` : ''}
          {shipment.error}
        </p>
        <Button variant="secondary" size="sm" busy={retry.isPending} onClick={() => retry.mutate(shipment._id)}>
          Try again
        </Button>
      </div>
    );
  }
  if (!text) return null;
  return (
    <p role="status" className="mt-3 flex items-center gap-2 text-sm text-ink-soft">
      <Spinner className="size-4" />
      {text}...
    </p>
  );
}

function Actions({ shipment }: { shipment: Shipment }) {
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancelShipment();
  const { _id, orderId, orderStatus, orderVersion, status, needsDecision, isCancellable } = shipment;
  if (needsDecision && (status === 'returned' || status === 'lost'))
    return <ParcelDecision {...{ orderId, orderStatus, orderVersion, status }} />;
  if (!isCancellable) return null;
  return (
    <div className="-mx-4 mt-1">
      <Button variant="ghost" size="sm" busy={cancel.isPending} onClick={() => setAsking(true)}>
        Cancel the parcel
      </Button>
      <ConfirmDialog
        open={isAsking}
        question="Cancel this parcel?"
        hint="The courier does not fetch it. The order stays as it is and can be shipped again."
        action="Cancel the parcel"
        onConfirm={() => {
          setAsking(false);
          cancel.mutate(_id);
        }}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
