// The parcel of an order. Without a delivery partner the tracking number is typed in here.
import { useState } from 'react';
import { errorMessage, hasCode } from '~/api/error';
import type { Order } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { Parcel } from '~/shared/order/parcel';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field } from '~/ui/forms/field';
import { useSetTracking } from './tracking-queries';

/** As `set_manual_tracking` of the server has it (crates/app/src/shipping/manual_tracking.rs). */
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

const FIELDS = ['courier', 'trackingNumber', 'trackingUrl'] as const;

function TrackingDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { courier = '', trackingNumber = '', trackingUrl = '' } = order.shipment ?? {};
  const request = useSetTracking(order._id);
  const form = useForm({ initial: { courier, trackingNumber, trackingUrl }, fields: FIELDS, request });
  // Its money went back. The second press sends it all the same.
  const isRefused = hasCode(form.error, 'order_refunded');
  const send = form.submit((values) =>
    request.mutate({ ...values, evenIfRefunded: isRefused || undefined }, { onSuccess: onClose }),
  );
  return (
    <Dialog open onClose={onClose} title="Tracking number" width="30rem">
      <form ref={form.ref} onSubmit={send} className="mt-4 space-y-4">
        <Field {...form.field('courier')} label="Courier" required maxLength={60} data-autofocus />
        <Field {...form.field('trackingNumber')} label="Tracking number" required maxLength={60} />
        <Field
          {...form.field('trackingUrl')}
          label="Link"
          type="url"
          pattern="https://.*"
          title="It begins with https://"
          placeholder="https://"
          hint="The customer follows the parcel there."
        />
        {form.error && <Alert>{errorMessage(form.error, 'Failed to save the tracking number')}</Alert>}
        <DialogActions>
          <Button type="button" variant="ghost" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" busy={form.isPending}>
            {isRefused ? 'Send it all the same' : 'Save'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
