// A postal address as on a shipping label.
import type { Address } from '~/api/types';
import { formatPhone } from '~/lib/form/validation';

type PostalAddressFields = Omit<Address, '_id' | 'addressName' | 'isDefault'>;

export function PostalAddress({ address }: { address: PostalAddressFields }) {
  return (
    <span className="block leading-relaxed text-ink-soft">
      <span className="font-semibold text-ink">{address.name}</span>
      <br />
      {address.addressLine1}
      {address.addressLine2 && <>, {address.addressLine2}</>}
      <br />
      {address.city}, {address.state} <span className="tabular-nums">{address.pincode}</span>
      <br />
      <span className="tabular-nums">{formatPhone(address.phone)}</span>
    </span>
  );
}
