// An address as it would stand on a parcel.
import { phoneText } from '~/api/person-rules';
import type { Address } from '~/api/types';

type Place = Omit<Address, '_id' | 'addressName' | 'isDefault'>;

export function AddressText({ address }: { address: Place }) {
  return (
    <span className="block leading-relaxed text-ink-soft">
      <span className="font-semibold text-ink">{address.name}</span>
      <br />
      {address.addressLine1}
      {address.addressLine2 && <>, {address.addressLine2}</>}
      <br />
      {address.city}, {address.state} <span className="tabular-nums">{address.pincode}</span>
      <br />
      <span className="tabular-nums">{phoneText(address.phone)}</span>
    </span>
  );
}
