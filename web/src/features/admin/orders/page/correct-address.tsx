// Corrects the delivery address of a paid order that is not packed. The server decides whether that is still so.
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { Order } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { checkPhone, checkPincode, checkRequired, formatPhone } from '~/lib/form/validation';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { Field } from '~/ui/forms/field';
import { useCorrectAddress } from './order-page-queries';

const FIELDS = ['name', 'phone', 'addressLine1', 'addressLine2', 'pincode', 'city', 'state'] as const;
type Values = Record<(typeof FIELDS)[number], string>;

/** As `correct_delivery_address` of the server has it (crates/app/src/orders/staff_page.rs). */
const canCorrect = ({ paymentStatus, orderStatus, packedAt, shipment, deletedAt }: Order) =>
  paymentStatus === 'completed' &&
  (orderStatus === 'pending' || orderStatus === 'confirmed' || orderStatus === 'N/A') &&
  !packedAt &&
  !shipment &&
  !deletedAt;

export function CorrectAddress({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  // An open dialog stays and says why, when the order is packed meanwhile.
  if (!canCorrect(order) && !isOpen) return null;
  return (
    <>
      <Button variant="secondary" size="sm" className="mt-3 !px-4" onClick={() => setOpen(true)}>
        Correct the address
      </Button>
      {isOpen && <AddressDialog order={order} onClose={() => setOpen(false)} />}
    </>
  );
}

function check(values: Values): Partial<Values> {
  const found: Partial<Values> = {
    name: checkRequired('Full name', values.name, 100),
    phone: checkPhone('Phone', values.phone),
    addressLine1: checkRequired('Address line 1', values.addressLine1, 200),
    pincode: checkPincode('Pincode', values.pincode),
    city: checkRequired('City', values.city, 100),
    state: checkRequired('State', values.state, 60),
  };
  return Object.fromEntries(Object.entries(found).filter(([, error]) => error));
}

function AddressDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { name, phone, addressLine1, addressLine2, city, state, pincode } = order.deliveryAddress;
  const request = useCorrectAddress(order);
  const initial: Values = { name, phone: formatPhone(phone), addressLine1, addressLine2, city, state, pincode };
  const form = useForm({ initial, fields: FIELDS, request, check });
  const save = form.submit((values) => request.mutate(values, { onSuccess: onClose }));
  return (
    <Dialog open onClose={onClose} title="Correct the address" width="36rem">
      <form ref={form.ref} onSubmit={save} noValidate className="mt-4 space-y-4">
        <p className="text-ink-soft">The invoice and the parcel get this address. The history keeps the old one.</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field {...form.field('name')} label="Full name" required maxLength={100} data-autofocus />
          <Field {...form.field('phone')} label="Phone" required type="tel" />
        </div>
        <Field {...form.field('addressLine1')} label="Address line 1" required maxLength={200} />
        <Field {...form.field('addressLine2')} label="Address line 2" maxLength={200} />
        <div className="grid gap-4 sm:grid-cols-3">
          <Field {...form.field('pincode')} label="Pincode" required inputMode="numeric" maxLength={6} />
          <Field {...form.field('city')} label="City" required maxLength={100} />
          <Field {...form.field('state')} label="State" required maxLength={60} />
        </div>
        {form.error && <Alert>{errorMessage(form.error, 'Failed to correct the address')}</Alert>}
        <DialogActions>
          <Button type="button" variant="ghost" onClick={onClose}>
            Back
          </Button>
          <Button type="submit" busy={form.isPending}>
            Save the address
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
