// For the selected orders that can be packed: one file with a pick list and packing slips, and marking them as packed.
import { useState } from 'react';
import type { Order } from '~/api/types';
import { Button, buttonClass } from '~/ui/button';
import { AdminIcon } from '../../console/admin-icon';
import { whyStay } from '../leaving/leaving';
import { LeavingQuestion } from '../leaving/leaving-question';
import { usePackOrders } from '../order-queries';
import { canPack, isPacked, packingUrl } from './packing';

type Props = { orders: Order[]; disabled: boolean };

export function PackOrders({ orders, disabled }: Props) {
  const pack = usePackOrders();
  const [asking, setAsking] = useState(false);
  const packable = orders.filter(canPack);
  const unpacked = packable.filter((order) => !isPacked(order));
  if (packable.length === 0) return null;
  const toAsk = unpacked.filter((order) => whyStay(order) !== null);
  const save = (evenIfRefunded?: boolean) => pack.mutate({ orders: unpacked, evenIfRefunded });
  const count = (some: Order[]) => (some.length < orders.length ? ` (${some.length})` : '');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <a
        href={packingUrl(packable)}
        target="_blank"
        rel="noopener"
        className={buttonClass('secondary', 'sm', '!px-4 whitespace-nowrap')}
      >
        <AdminIcon name="download" />
        Packing slips{count(packable)}
        <span className="sr-only">(PDF, opens in a new tab)</span>
      </a>
      {unpacked.length > 0 && (
        <Button
          variant="secondary"
          size="sm"
          className="!px-4 whitespace-nowrap"
          busy={pack.isPending}
          disabled={disabled}
          onClick={() => (toAsk.length > 0 ? setAsking(true) : save())}
        >
          Mark as packed{count(unpacked)}
        </Button>
      )}
      <LeavingQuestion
        open={asking}
        orders={toAsk}
        action="Mark as packed"
        onConfirm={({ evenIfRefunded }) => save(evenIfRefunded)}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
