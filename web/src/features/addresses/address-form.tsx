// The dialog to add or change an address. Errors show beside their fields; a pincode of six digits fills in city and
// state.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { pincodeQuery } from '~/api/queries/catalogue';
import type { Address } from '~/api/types';
import { useForm } from '~/lib/form/use-form';
import { formatPhone } from '~/lib/form/validation';
import { useSession } from '~/shared/auth/session';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog/dialog';
import { Banner } from '~/ui/feedback/alert';
import { Field, Select } from '~/ui/forms/field';
import {
  type AddressField,
  type AddressValues,
  checkAddress,
  checkField,
  FIELDS,
  LABELS,
  matchState,
  newAddress,
  STATES,
} from './address-form-model';
import { useAddresses, useSaveAddress } from './address-queries';

type Props = {
  open: boolean;
  /** The address to change; without one a new address is added. */
  address: Address | undefined;
  onClose: () => void;
  onSaved?: (address: Address) => void;
};

export function AddressDialog({ open, address, onClose, onSaved }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={address ? 'Edit Address' : 'Add New Address'} width="42rem">
      <AddressForm
        address={address}
        onCancel={onClose}
        onSaved={(saved) => {
          onSaved?.(saved);
          onClose();
        }}
      />
    </Dialog>
  );
}

type FormProps = { address: Address | undefined; onCancel: () => void; onSaved: (address: Address) => void };

function AddressForm({ address, onCancel, onSaved }: FormProps) {
  const { user } = useSession();
  const { addresses } = useAddresses();
  const request = useSaveAddress(onSaved);
  const form = useForm<AddressValues, AddressField>({
    initial: () => (address ? { ...address, phone: formatPhone(address.phone) } : newAddress(user, addresses)),
    fields: FIELDS,
    request,
    check: (values) => ({ ...(lookup.isUnknown && { pincode: lookup.error }), ...checkAddress(values) }),
  });
  const { values } = form;
  const lookup = usePincode(values.pincode, address?.pincode, form.change);

  const input = (field: AddressField) => ({
    ...form.field(field),
    label: LABELS[field],
    name: field,
    onBlur: () => values[field] && form.setErrors({ [field]: checkField(field, values) }),
  });
  const pin = input('pincode');
  const send = form.submit((values) => request.mutate({ id: address?._id, values }));

  return (
    <form ref={form.ref} noValidate onSubmit={send} className="mt-6">
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        <Field {...input('addressName')} required placeholder="Home, Work, Aai's place" />
        <Field {...input('name')} required autoComplete="shipping name" />
        <Field
          {...input('phone')}
          required
          type="tel"
          inputMode="tel"
          autoComplete="shipping tel"
          placeholder="98765 43210"
        />
        <Field
          {...pin}
          required
          inputMode="numeric"
          autoComplete="shipping postal-code"
          maxLength={6}
          onChange={(event) => form.change({ pincode: event.target.value.replace(/\s/g, '').slice(0, 6) })}
          error={lookup.error || pin.error}
          hint={lookup.hint}
        />
        <Field {...input('addressLine1')} required autoComplete="shipping address-line1" className="sm:col-span-2" />
        <Field
          {...input('addressLine2')}
          autoComplete="shipping address-line2"
          placeholder="Optional"
          className="sm:col-span-2"
        />
        <Field {...input('city')} required autoComplete="shipping address-level2" />
        <Select {...input('state')} required autoComplete="shipping address-level1">
          <option value="">Choose a state</option>
          {STATES.map((state) => (
            <option key={state}>{state}</option>
          ))}
        </Select>
      </div>
      <label className="mt-5 flex min-h-11 cursor-pointer items-center gap-3 font-medium">
        <input
          type="checkbox"
          checked={values.isDefault}
          onChange={(event) => form.change({ isDefault: event.target.checked })}
          className="size-5 accent-chilli-fill"
        />
        Deliver here by default
      </label>
      <div
        data-foot
        className="sticky -bottom-6 z-10 -mx-6 mt-4 -mb-6 border-t border-line bg-surface px-6 py-4 sm:-bottom-8 sm:-mx-8 sm:-mb-8 sm:px-8"
      >
        {/* Beside the buttons: above them it would be out of view on a phone. */}
        <div role="alert" className="empty:hidden">
          {form.error && (
            <Banner kind="error" className="mb-3 !py-2">
              {form.error.message}
            </Banner>
          )}
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="ghost" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" busy={form.isPending}>
            {address ? 'Save address' : 'Add address'}
          </Button>
        </div>
      </div>
    </form>
  );
}

type PincodeArea = { city: string; state: string };

/** Looks up a pincode of six digits and calls `onFound` once; not for the pincode that the address had before. */
function usePincode(pin: string, original: string | undefined, onFound: (area: PincodeArea) => void) {
  const isComplete = pin.length === 6;
  const query = useQuery({ ...pincodeQuery(pin), enabled: isComplete, retry: false });
  const office = query.data?.Status === 'Success' ? query.data.PostOffice?.[0] : undefined;
  const filledFrom = useRef(original);
  const fill = useEffectEvent(onFound);
  useEffect(() => {
    if (!office || filledFrom.current === pin) return;
    filledFrom.current = pin;
    fill({ city: office.District, state: matchState(office.State) });
  }, [office, pin]);

  const result = { error: '', hint: '', isUnknown: false };
  if (!isComplete) return { ...result, hint: 'Six digits; city and state follow' };
  if (query.isFetching) return { ...result, hint: 'Looking it up…' };
  if (query.isError) return { ...result, error: 'Something went wrong.' };
  if (query.data && !office) return { ...result, error: 'Invalid pincode.', isUnknown: true };
  return { ...result, hint: office ? `${office.District}, ${office.State}` : '' };
}
