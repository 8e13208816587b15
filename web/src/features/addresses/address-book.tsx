// The Addresses tab of the profile: all saved addresses, to be changed, deleted or made the default.
import { useState } from 'react';
import type { Address } from '~/api/types';
import { PostalAddress } from '~/shared/address/postal-address';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog/confirm-dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/more-icons';
import { RangoliSun } from '~/ui/graphics/rangoli';
import { AddressDialog } from './address-form';
import { useAddresses, useDefaultAddress, useDeleteAddress } from './address-queries';
import { AddressSkeletons } from './address-skeletons';

const grid = 'grid gap-4 md:grid-cols-2 xl:grid-cols-3';

export function AddressBook() {
  const { addresses, loading, failed, retry } = useAddresses();
  const [editing, setEditing] = useState<Address | 'new' | null>(null);
  const [deleting, setDeleting] = useState<Address | null>(null);
  const remove = useDeleteAddress();
  const makeDefault = useDefaultAddress();

  if (loading) return <AddressSkeletons className={grid} />;
  if (failed) return <ErrorState message="Failed to load addresses" onRetry={() => void retry()} />;

  return (
    <>
      {addresses.length === 0 ? (
        <div className="flex flex-col items-center rounded-lg border border-dashed border-line-strong px-6 py-12 text-center">
          <RangoliSun className="w-32 text-line-strong" />
          <p className="mt-5 font-display text-heading">No addresses yet</p>
          <p className="mt-1 text-ink-soft">Save one now and checkout is a single tap.</p>
          <Button className="mt-6" onClick={() => setEditing('new')}>
            <Icon name="plus" className="size-5" /> Add New Address
          </Button>
        </div>
      ) : (
        <ul className={grid}>
          {addresses.map((address) => (
            <li
              key={address._id}
              className="flex flex-col rounded-lg border border-line bg-surface p-5 shadow-card transition hover:shadow-lift"
            >
              <div className="mb-3 flex items-center justify-between gap-3">
                <h2 className="min-w-0 truncate text-name">{address.addressName}</h2>
                {address.isDefault && <Badge tone="green">Default</Badge>}
              </div>
              <PostalAddress address={address} />
              <div className="mt-auto -mb-2 -ml-3 flex flex-wrap pt-4">
                <Button variant="ghost" size="sm" className="!px-3" onClick={() => setEditing(address)}>
                  Edit <span className="sr-only">{address.addressName}</span>
                </Button>
                <Button variant="ghost" size="sm" className="!px-3 !text-chilli" onClick={() => setDeleting(address)}>
                  Delete <span className="sr-only">{address.addressName}</span>
                </Button>
                {!address.isDefault && (
                  <Button
                    variant="ghost"
                    size="sm"
                    className="!px-3"
                    disabled={makeDefault.isPending}
                    onClick={() => makeDefault.mutate(address._id)}
                  >
                    Set as default <span className="sr-only">{address.addressName}</span>
                  </Button>
                )}
              </div>
            </li>
          ))}
          <li>
            <button
              type="button"
              onClick={() => setEditing('new')}
              className="flex h-full min-h-32 w-full flex-col items-center justify-center gap-2 rounded-lg border-2 border-dashed border-line-strong p-5 font-semibold text-ink-soft transition hover:border-chilli hover:text-chilli"
            >
              <Icon name="plus" className="size-7" />
              Add New Address
            </button>
          </li>
        </ul>
      )}
      <AddressDialog
        open={editing !== null}
        address={editing === 'new' || editing === null ? undefined : editing}
        onClose={() => setEditing(null)}
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
