// The parcel of an order: where it is, when it is expected, and the link to follow it.
import type { OrderShipment } from '~/api/types';
import { formatDate, formatDay } from '~/lib/format';
import { Badge } from '~/ui/badge';
import { shipmentLabel, shipmentTone } from './shipment-status';

const UNDER_WAY = ['preparing', 'ready', 'picked_up', 'in_transit', 'out_for_delivery', 'undelivered'];

/** When the parcel is expected; empty where that is not known, or over. */
export function arrivalText({ status, expectedBy, events }: OrderShipment, nowMs: number): string {
  const lastScan = events.at(-1);
  const isToday = !lastScan || formatDate(lastScan.at) === formatDate(new Date(nowMs).toISOString());
  if (status === 'out_for_delivery' && isToday) return 'Arriving today';
  return expectedBy && UNDER_WAY.includes(status) ? `Expected by ${formatDay(expectedBy)}` : '';
}

export function Parcel({ shipment }: { shipment: OrderShipment }) {
  const { courier, trackingNumber, trackingUrl, status } = shipment;
  const arrival = arrivalText(shipment, Date.now());
  return (
    <div className="space-y-2">
      <Badge tone={shipmentTone(status)}>{shipmentLabel(status)}</Badge>
      {arrival && <p className="font-semibold">{arrival}</p>}
      {trackingNumber && (
        <p className="[overflow-wrap:anywhere]">
          {courier}
          <br />
          {trackingUrl ? (
            <a className="link tabular-nums" href={trackingUrl} target="_blank" rel="noopener noreferrer">
              {trackingNumber}
              <span className="sr-only"> (track the parcel, opens in a new tab)</span>
            </a>
          ) : (
            <span className="tabular-nums">{trackingNumber}</span>
          )}
        </p>
      )}
    </div>
  );
}
