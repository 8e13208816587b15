// Packed orders without a parcel: choose some, choose how, ship.
import { useState } from 'react';
import type { OrderToShip, ShipInput } from '~/api/types';
import { formatAmount, formatDateTimeIst, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { Select } from '~/ui/forms/field';
import { useShipOrders } from '../console/parcel-queries';
import { adminPath } from '../console/url-state';
import { CourierChoice } from './courier-choice';
import { formatWeight } from './shipment-group';

type Rule = NonNullable<ShipInput['rule']>;

export function ToShip({ orders, total }: { orders: OrderToShip[]; total: number }) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [rule, setRule] = useState<Rule | ''>('');
  const [isChoosing, setChoosing] = useState(false);
  const ship = useShipOrders();
  // All are chosen but those that were taken out: the usual case is to ship everything that is packed.
  const chosen = orders.filter(({ orderId }) => !left.has(orderId)).map(({ orderId }) => orderId);
  const toggle = (id: string) =>
    setLeft((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const single = chosen.length === 1 ? chosen[0] : undefined;
  return (
    <section aria-labelledby="to-ship" className="rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5">
      <h2 id="to-ship" className="text-name">
        Packed, to ship
      </h2>
      <p className="text-sm text-ink-soft">
        {plural(total, 'order')}
        {total > orders.length && `, the oldest ${orders.length} are shown`}
      </p>
      <ul className="mt-3 grid gap-2 md:grid-cols-2 2xl:grid-cols-3">
        {orders.map((order) => (
          <li key={order.orderId}>
            <label className="flex min-h-14 items-center gap-3 rounded-md border border-line px-3 py-2 transition hover:border-line-strong has-checked:border-cardamom has-checked:bg-cardamom-wash">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-cardamom"
                checked={!left.has(order.orderId)}
                onChange={() => toggle(order.orderId)}
              />
              <span className="min-w-0 grow">
                <span className="block font-semibold [overflow-wrap:anywhere]">
                  {order.customer}, {order.city} {order.pincode}
                </span>
                <span className="block text-sm text-ink-soft tabular-nums">
                  {plural(order.packs, 'pack')}, {formatWeight(order.weightGrams)}
                  {order.packedAt && ` · packed ${formatDateTimeIst(order.packedAt)}`}
                </span>
                {order.refundedAmount > 0 && <Badge tone="yellow">Refunded {formatAmount(order.refundedAmount)}</Badge>}
              </span>
              <Link className="link text-sm tabular-nums" to={adminPath('orders', { orderId: order.orderId })}>
                {shortId(order.orderId)}
              </Link>
            </label>
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <Select
          label="Courier"
          className="w-56 max-sm:w-full"
          value={rule}
          onChange={(event) => setRule(event.target.value as Rule | '')}
        >
          <option value="">As configured</option>
          <option value="cheapest">Cheapest</option>
          <option value="fastest">Fastest</option>
        </Select>
        <Button
          className="max-sm:grow"
          busy={ship.isPending}
          disabled={chosen.length === 0}
          onClick={() => ship.mutate({ orders: chosen, rule: rule || undefined })}
        >
          Ship {plural(chosen.length, 'order')}
        </Button>
        <Button
          variant="secondary"
          className="max-sm:grow"
          disabled={!single}
          title={single ? undefined : 'For one order at a time'}
          onClick={() => setChoosing(true)}
        >
          Choose the courier
        </Button>
      </div>
      {isChoosing && single && <CourierChoice orderId={single} onClose={() => setChoosing(false)} />}
    </section>
  );
}
