// Choose the courier of one parcel by hand.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import { formatAmount, formatDay, plural } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { Loading, Skeleton } from '~/ui/feedback/states';
import { useShipOrders } from '../console/parcel-queries';
import { couriersQuery } from './shipment-queries';

export function CourierChoice({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const list = useQuery(couriersQuery(orderId));
  const [chosen, setChosen] = useState<number>();
  const ship = useShipOrders();
  const couriers = list.data ?? [];
  const courierId = chosen ?? couriers[0]?.courierId;
  return (
    <Dialog open onClose={onClose} title={`Courier for order ${shortId(orderId)}`} width="34rem">
      {list.isPending ? (
        <Loading text="Asking the delivery partner...">
          <Skeleton className="mt-5 h-40 w-full !rounded-lg" />
        </Loading>
      ) : list.isError ? (
        <div className="mt-5">
          <ErrorState
            message={errorMessage(list.error, 'Failed to fetch couriers')}
            onRetry={() => void list.refetch()}
          />
        </div>
      ) : couriers.length === 0 ? (
        <p className="mt-5">No courier serves this pincode.</p>
      ) : (
        <fieldset className="mt-5 grid gap-2">
          <legend className="sr-only">Couriers</legend>
          {couriers.map((courier) => (
            <label
              key={courier.courierId}
              className="flex min-h-14 items-center gap-3 rounded-md border border-line px-4 py-2 has-checked:border-cardamom has-checked:bg-cardamom-wash"
            >
              <input
                type="radio"
                name="courier"
                className="size-5 accent-cardamom"
                checked={courier.courierId === courierId}
                onChange={() => setChosen(courier.courierId)}
              />
              <span className="grow">
                <span className="block font-semibold">{courier.name}</span>
                <span className="block text-sm text-ink-soft">
                  {[
                    courier.days !== null && plural(courier.days, 'day'),
                    courier.expectedBy && `by ${formatDay(courier.expectedBy)}`,
                    courier.isSurface ? 'by road' : 'by air',
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </span>
              <span className="font-bold tabular-nums">{formatAmount(courier.cost)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <DialogActions>
        <Button variant="ghost" onClick={onClose}>
          Back
        </Button>
        <Button
          busy={ship.isPending}
          disabled={courierId === undefined}
          onClick={() => ship.mutate({ orders: [orderId], courierId }, { onSuccess: onClose })}
        >
          Ship
        </Button>
      </DialogActions>
    </Dialog>
  );
}
