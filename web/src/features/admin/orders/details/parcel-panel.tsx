// The parcel of an order. Without a delivery partner the tracking number is typed in here.
import { useState } from 'react';
import { errorMessage, hasCode } from '~/api/error';
import type { Order } from '~/api/types';
import { Parcel } from '~/shared/order/parcel';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field } from '~/ui/forms/field';
import { useSetTracking } from './tracking-queries';

/** As `set_manual_tracking` of the server has it (crates/app/src/shipping/ship.rs). */
const canTypeIn = ({ paymentStatus, orderStatus }: Order) =>
  paymentStatus === 'completed' && orderStatus !== 'cancelled' && orderStatus !== 'delivered';

export function ParcelPanel({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const { shipment } = order;
  // What the partner reports is not changed by hand.
  const isTracked = shipment !== null && (shipment.events.length > 0 || shipment.status === 'preparing');
  const canEdit = canTypeIn(order) && !isTracked;
  if (!shipment && !canEdit) return null;
  return (
    <section aria-label="Parcel">
      <h2 className="mb-2 font-sans font-bold">Parcel</h2>
      {shipment && <Parcel shipment={shipment} />}
      {canEdit && (
        <Button variant="secondary" size="sm" className="mt-3 !px-4" onClick={() => setOpen(true)}>
          {shipment ? 'Change the tracking number' : 'Type in a tracking number'}
        </Button>
      )}
      {isOpen && <TrackingDialog order={order} onClose={() => setOpen(false)} />}
    </section>
  );
}

function TrackingDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [courier, setCourier] = useState(order.shipment?.courier ?? '');
  const [trackingNumber, setNumber] = useState(order.shipment?.trackingNumber ?? '');
  const [trackingUrl, setUrl] = useState(order.shipment?.trackingUrl ?? '');
  const save = useSetTracking(order._id);
  // Its money went back. The second press sends it all the same.
  const isRefused = hasCode(save.error, 'order_refunded');
  return (
    <Dialog open onClose={onClose} title="Tracking number" width="30rem">
      <form
        className="mt-4 space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          const evenIfRefunded = isRefused || undefined;
          save.mutate({ courier, trackingNumber, trackingUrl, evenIfRefunded }, { onSuccess: onClose });
        }}
      >
        <Field
          label="Courier"
          required
          maxLength={60}
          value={courier}
          onChange={(event) => setCourier(event.target.value)}
          data-autofocus
        />
        <Field
          label="Tracking number"
          required
          maxLength={60}
          value={trackingNumber}
          onChange={(event) => setNumber(event.target.value)}
        />
        <Field
          label="Link"
          type="url"
          pattern="https://.*"
          placeholder="https://"
          hint="The customer follows the parcel there."
          value={trackingUrl}
          onChange={(event) => setUrl(event.target.value)}
        />
        {save.isError && <Alert>{errorMessage(save.error, 'Failed to save the tracking number')}</Alert>}
        <DialogActions>
          <Button type="button" variant="ghost" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" busy={save.isPending}>
            {isRefused ? 'Send it all the same' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
