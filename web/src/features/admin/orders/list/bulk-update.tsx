// Packs the selected orders, or changes the status of all of them, one request after the other. What fails stays selected.
import { useState } from 'react';
import type { Order, OrderStatus } from '~/api/types';
import { plural } from '~/lib/format';
import { statusLabel } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { type CancelOptions, CancelQuestion, isPaid } from '../cancellation/cancel-question';
import { type LeavingConfirmation, ordersToAskAbout } from '../leaving/leaving';
import { LeavingQuestion } from '../leaving/leaving-question';
import { useUpdateStatuses } from '../order-queries';
import { PackOrders } from '../packing/pack-orders';
import { ORDER_STATUSES } from './order-filter';

type Props = { orders: Order[]; onSelect: (ids: string[]) => void };

export function BulkUpdate({ orders, onSelect }: Props) {
  const ids = orders.map(({ _id }) => _id);
  const [status, setStatus] = useState<OrderStatus | ''>('');
  const [asking, setAsking] = useState(false);
  const update = useUpdateStatuses();
  if (ids.length === 0) return null;
  const save = (options?: CancelOptions | LeavingConfirmation) =>
    status &&
    update.mutate({ orders, orderStatus: status, ...options }, { onSuccess: ({ failed }) => onSelect(failed) });
  const toAsk = status ? ordersToAskAbout(orders, status) : [];
  return (
    <section
      aria-label="Selected orders"
      className="sticky bottom-2 z-10 mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line-strong bg-raised px-4 py-2.5 shadow-lift max-md:bottom-18"
    >
      <p role="status" className="font-semibold tabular-nums">
        {plural(ids.length, 'order')} selected
      </p>
      <PackOrders orders={orders} disabled={update.isPending} />
      <div className="flex grow items-center gap-2 sm:justify-end">
        <select
          aria-label="New status of the selected orders"
          value={status}
          disabled={update.isPending}
          onChange={(event) => setStatus(event.target.value as OrderStatus)}
          className="min-h-11 min-w-0 grow rounded-md border border-line-strong bg-surface px-2.5 sm:grow-0"
        >
          <option value="">Choose a status</option>
          {ORDER_STATUSES.map((each) => (
            <option key={each} value={each}>
              {statusLabel(each)}
            </option>
          ))}
        </select>
        <Button
          size="sm"
          busy={update.isPending}
          disabled={status === ''}
          onClick={() =>
            (status === 'cancelled' && orders.some(isPaid)) || toAsk.length > 0 ? setAsking(true) : save()
          }
        >
          {update.isPending ? 'Updating...' : 'Update all'}
        </Button>
        <Button variant="ghost" size="sm" className="!px-3" disabled={update.isPending} onClick={() => onSelect([])}>
          Clear
        </Button>
      </div>
      <CancelQuestion
        open={asking && status === 'cancelled'}
        orders={orders}
        onChoose={save}
        onClose={() => setAsking(false)}
      />
      <LeavingQuestion
        open={asking && toAsk.length > 0}
        orders={toAsk}
        action={`Set to ${status}`}
        onConfirm={save}
        onClose={() => setAsking(false)}
      />
    </section>
  );
}
