// Choosing the delivery address of an order. The default address is selected until the customer selects another.
import { type ReactNode, useState } from 'react';
import type { Address } from '~/api/types';
import { PostalAddress } from '~/shared/address/postal-address';
import { NOT_SERVED, useIsServed } from '~/shared/delivery/estimate';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/more-icons';
import { AddressDialog } from './address-form';
import { useAddresses, useDeleteAddress } from './address-queries';
import { AddressSkeletons } from './address-skeletons';

/** The selected address: the customer's choice, else the default, else the only one. */
export function useChosenAddress(): [Address | undefined, (id: string) => void] {
  const { addresses } = useAddresses();
  const [choice, choose] = useState('');
  const chosen =
    addresses.find((address) => address._id === choice) ??
    addresses.find((address) => address.isDefault) ??
    (addresses.length === 1 ? addresses[0] : undefined);
  return [chosen, choose];
}

type Props = { chosen: string; onChoose: (id: string) => void; disabled: boolean };

export function AddressPicker({ chosen, onChoose, disabled }: Props) {
  const { addresses, loading, failed, retry } = useAddresses();
  const [editing, setEditing] = useState<Address | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Address | null>(null);
  const remove = useDeleteAddress();

  let list: ReactNode;
  if (loading) list = <AddressSkeletons className="grid gap-4 xl:grid-cols-2" />;
  else if (failed) list = <ErrorState message="Failed to load addresses" onRetry={() => void retry()} />;
  else
    list = (
      <div
        role="radiogroup"
        aria-label="Deliver to"
        className={`grid gap-4 ${addresses.length > 1 ? 'xl:grid-cols-2' : ''}`}
      >
        {addresses.map((address) => (
          <AddressChoice
            key={address._id}
            address={address}
            checked={address._id === chosen}
            disabled={disabled}
            onChoose={() => onChoose(address._id)}
            onEdit={() => setEditing(address)}
            onDelete={() => setDeleting(address)}
          />
        ))}
      </div>
    );

  return (
    <>
      {list}
      {!loading && !failed && (
        <button
          type="button"
          disabled={disabled}
          onClick={() => setEditing('new')}
          className={`flex w-full items-center justify-center gap-2 rounded-lg border-2 border-dashed border-line-strong px-5 font-semibold text-ink-soft transition hover:border-chilli hover:text-chilli disabled:opacity-55 ${addresses.length ? 'mt-4 min-h-16' : 'min-h-40'}`}
        >
          <Icon name="plus" className="size-6" />
          {addresses.length ? 'Add New Address' : 'Add your first address'}
        </button>
      )}
      <AddressDialog
        open={editing !== null}
        address={editing === 'new' || editing === null ? undefined : editing}
        onClose={() => setEditing(null)}
        onSaved={(address) => onChoose(address._id)}
      />
      <ConfirmDialog
        open={deleting !== null}
        question="Are you sure you want to delete this address?"
        hint={deleting ? `${deleting.addressName}: ${deleting.addressLine1}, ${deleting.city}` : undefined}
        action="Delete"
        busy={remove.isPending}
        onClose={() => setDeleting(null)}
        onConfirm={() => deleting && remove.mutate(deleting._id, { onSettled: () => setDeleting(null) })}
      />
    </>
  );
}

type ChoiceProps = {
  address: Address;
  checked: boolean;
  disabled: boolean;
  onChoose: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

function AddressChoice({ address, checked, disabled, onChoose, onEdit, onDelete }: ChoiceProps) {
  const isServed = useIsServed(address.pincode);
  return (
    <div
      className={`rounded-lg border-2 bg-surface p-5 pb-2 transition ${checked ? 'border-chilli-fill shadow-lift' : 'border-line shadow-card hover:border-line-strong'}`}
    >
      <label className="flex min-w-0 cursor-pointer gap-4">
        <input
          type="radio"
          name="address"
          value={address._id}
          checked={checked}
          disabled={disabled}
          onChange={onChoose}
          className="mt-1 size-5 shrink-0 accent-chilli-fill"
        />
        <span className="min-w-0">
          <span className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-display text-name">{address.addressName}</span>
            {address.isDefault && <Badge tone="green">Default</Badge>}
          </span>
          <PostalAddress address={address} />
          {!isServed && (
            <span className="mt-2 flex items-start gap-2 font-semibold text-chilli">
              <Icon name="alert" className="mt-0.5 size-5 shrink-0" />
              {NOT_SERVED}
            </span>
          )}
        </span>
      </label>
      <div className="mt-1 ml-5.5 flex flex-wrap">
        <Button variant="ghost" size="sm" className="!px-3.5" disabled={disabled} onClick={onEdit}>
          Edit <span className="sr-only">{address.addressName}</span>
        </Button>
        <Button variant="ghost" size="sm" className="!px-3.5 !text-chilli" disabled={disabled} onClick={onDelete}>
          Delete <span className="sr-only">{address.addressName}</span>
        </Button>
      </div>
    </div>
  );
}
