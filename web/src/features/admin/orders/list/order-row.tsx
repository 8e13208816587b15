// One order in the table: its row, its details below, changing its status, deleting it.
import { useId, useState } from 'react';
import type { Order, OrderStatus } from '~/api/types';
import { formatAmount, formatDateTimeIst } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { Button, IconButton } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';
import { orderPath } from '../../console/url-state';
import { type CancelOptions, CancelQuestion, isPaid } from '../cancellation/cancel-question';
import { CancellationBadge } from '../cancellation/cancellation-panel';
import { isAboutRepeated, RepeatedQuestion } from '../cancellation/repeated-question';
import { OrderDetails } from '../details/order-details';
import { type LeavingConfirmation, ordersToAskAbout } from '../leaving/leaving';
import { LeavingQuestion } from '../leaving/leaving-question';
import { useRestoreOrder, useUpdateStatus } from '../order-queries';
import { NotPackedRow } from '../packing/not-packed';
import { isPacked } from '../packing/packing';
import { RefundBadge } from '../refunds/refund-badge';
import { ORDER_STATUSES } from './order-filter';
import { itemsText, recipientText } from './order-summary';

export type OrderListProps = {
  orders: Order[];
  /** The ids of the orders whose details are open. */
  shown: string[];
  selected: string[];
  onToggle: (id: string) => void;
  onSelect: (ids: string[]) => void;
  onDelete: (order: Order) => void;
};

type Props = Omit<OrderListProps, 'orders' | 'shown'> & {
  order: Order;
  columns: number;
  open: boolean;
  /** The row that the Tab key reaches; arrow keys reach the others. */
  isFirst: boolean;
};

export function OrderRow({ order, columns, open, isFirst, selected, onToggle, onSelect, onDelete }: Props) {
  const detailsId = useId();
  const name = shortId(order._id);
  return (
    <>
      <tr data-row tabIndex={isFirst ? 0 : -1} aria-label={`Order ${name}`}>
        <th
          scope="row"
          className="font-semibold tabular-nums max-xl:sticky max-xl:left-0 max-xl:z-[1] max-xl:bg-surface max-xl:shadow-[1px_0_0_var(--color-line)]"
          title={order._id}
        >
          <span className="flex items-center gap-2.5">
            {!order.deletedAt && <SelectOrder order={order} selected={selected} onSelect={onSelect} />}
            <Link className="link" to={orderPath(order._id)}>
              {name}
            </Link>
          </span>
        </th>
        <td className="text-ink-soft tabular-nums" title={order.userId}>
          {shortId(order.userId)}
          <span className="block max-w-44 text-sm text-ink [overflow-wrap:anywhere]">{recipientText(order)}</span>
        </td>
        <td className="tabular-nums">
          <span className="font-semibold">{formatAmount(order.totalAmount)}</span>
          <span className="line-clamp-2 max-w-56 text-sm text-ink-soft" title={itemsText(order)}>
            {itemsText(order)}
          </span>
        </td>
        <td>
          <span className="flex flex-wrap gap-1">
            <Badge tone={statusTone(order.orderStatus)}>{statusLabel(order.orderStatus)}</Badge>
            {isPacked(order) && <Badge tone="green">Packed</Badge>}
            <CancellationBadge order={order} />
            <RefundBadge order={order} />
          </span>
        </td>
        <td>
          <Badge tone={statusTone(order.paymentStatus)}>{statusLabel(order.paymentStatus)}</Badge>
        </td>
        <td className="min-w-28 text-sm text-balance tabular-nums">{formatDateTimeIst(order.createdAt)}</td>
        <td>
          <Button
            variant="ghost"
            size="sm"
            className="!px-3"
            aria-expanded={open}
            aria-controls={detailsId}
            aria-label={`${open ? 'Hide' : 'Show'} details of order ${name}`}
            onClick={() => onToggle(order._id)}
          >
            {open ? 'Hide' : 'Show'}
            <Icon name="down" className={`size-4 transition ${open ? 'rotate-180' : ''}`} />
          </Button>
        </td>
        {order.deletedAt ? (
          <>
            <td className="min-w-28 text-sm text-balance tabular-nums">{formatDateTimeIst(order.deletedAt)}</td>
            <td>
              <RestoreOrder order={order} />
            </td>
          </>
        ) : (
          <>
            <td>
              <UpdateStatus order={order} />
            </td>
            <td>
              <IconButton label={`Delete order ${name}`} className="text-chilli" onClick={() => onDelete(order)}>
                <Icon name="trash" className="size-5" />
              </IconButton>
            </td>
          </>
        )}
      </tr>
      <NotPackedRow order={order} columns={columns} />
      <tr id={detailsId} hidden={!open}>
        <td colSpan={columns} className="bg-paper">
          {open && <OrderDetails order={order} />}
        </td>
      </tr>
    </>
  );
}

export function SelectOrder({ order, selected, onSelect }: Pick<Props, 'order' | 'selected' | 'onSelect'>) {
  const isSelected = selected.includes(order._id);
  return (
    <label className="-m-2 grid size-9 shrink-0 cursor-pointer place-items-center">
      <input
        type="checkbox"
        aria-label={`Select order ${shortId(order._id)}`}
        checked={isSelected}
        onChange={() => onSelect(isSelected ? selected.filter((id) => id !== order._id) : [...selected, order._id])}
        className="size-6 accent-chilli-fill"
      />
    </label>
  );
}

type StatusOptions = (CancelOptions | LeavingConfirmation) & { evenIfRepeated?: boolean };

export function UpdateStatus({ order }: { order: Order }) {
  const [chosen, setChosen] = useState<OrderStatus>(order.orderStatus);
  const [seen, setSeen] = useState(order.orderStatus);
  // Saved here or changed by another admin: the dropdown follows the order.
  if (seen !== order.orderStatus) {
    setSeen(order.orderStatus);
    setChosen(order.orderStatus);
  }
  const update = useUpdateStatus();
  const [asking, setAsking] = useState(false);
  // What the server refused because packs were made good before, and why.
  const [repeated, setRepeated] = useState({ warning: '', options: {} });
  const save = (options: StatusOptions = {}) =>
    update.mutate(
      { order, orderStatus: chosen, ...options },
      { onError: (error) => isAboutRepeated(error) && setRepeated({ warning: error.message, options }) },
    );
  const toAsk = ordersToAskAbout([order], chosen);
  return (
    <div className="flex items-center gap-2">
      <select
        aria-label={`New status of order ${shortId(order._id)}`}
        value={chosen}
        disabled={update.isPending}
        onChange={(event) => setChosen(event.target.value as OrderStatus)}
        className="min-h-11 rounded-md border border-line-strong bg-raised px-2.5 text-ink"
      >
        {ORDER_STATUSES.map((status) => (
          <option key={status} value={status}>
            {statusLabel(status)}
          </option>
        ))}
      </select>
      <Button
        variant="secondary"
        size="sm"
        className="min-w-24 !px-3"
        busy={update.isPending}
        disabled={chosen === order.orderStatus}
        onClick={() => ((chosen === 'cancelled' && isPaid(order)) || toAsk.length > 0 ? setAsking(true) : save())}
      >
        {update.isPending ? 'Updating...' : 'Update'}
      </Button>
      <CancelQuestion
        open={asking && chosen === 'cancelled'}
        orders={[order]}
        onChoose={save}
        onClose={() => setAsking(false)}
      />
      <LeavingQuestion
        open={asking && toAsk.length > 0}
        orders={toAsk}
        action={`Set to ${chosen}`}
        onConfirm={save}
        onClose={() => setAsking(false)}
      />
      <RepeatedQuestion
        warning={repeated.warning}
        action={`Set to ${chosen}`}
        onConfirm={() => save({ ...repeated.options, evenIfRepeated: true })}
        onClose={() => setRepeated({ warning: '', options: {} })}
      />
    </div>
  );
}

export function RestoreOrder({ order }: { order: Order }) {
  const restore = useRestoreOrder();
  return (
    <Button
      variant="secondary"
      size="sm"
      className="!px-4"
      busy={restore.isPending}
      aria-label={`Restore order ${shortId(order._id)}`}
      onClick={() => restore.mutate(order._id)}
    >
      Restore
    </Button>
  );
}
