// The parcel of an order: where it is, when it is expected, and the link to follow it.
import type { OrderShipment } from '~/api/types';
import { formatDay } from '~/lib/format';
import { Badge } from '~/ui/badge';
import { shipmentLabel, shipmentTone } from './shipment-status';

const UNDER_WAY = ['preparing', 'ready', 'picked_up', 'in_transit', 'out_for_delivery', 'undelivered'];

export function Parcel({ shipment }: { shipment: OrderShipment }) {
  const { courier, trackingNumber, trackingUrl, status, expectedBy } = shipment;
  return (
    <div className="space-y-2">
      <Badge tone={shipmentTone(status)}>{shipmentLabel(status)}</Badge>
      {expectedBy && UNDER_WAY.includes(status) && <p className="font-semibold">Expected by {formatDay(expectedBy)}</p>}
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
