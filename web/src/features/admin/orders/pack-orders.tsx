// For the selected orders that can be packed: one file with a pick list and packing slips, and marking them as packed.
import type { Order } from '~/api/types';
import { Button, buttonClass } from '~/ui/button';
import { AdminIcon } from '../shared/admin-icon';
import { usePackOrders } from './order-queries';
import { canPack, isPacked, packingUrl } from './packing';

type Props = { orders: Order[]; disabled: boolean };

export function PackOrders({ orders, disabled }: Props) {
  const pack = usePackOrders();
  const packable = orders.filter(canPack);
  const unpacked = packable.filter((order) => !isPacked(order));
  if (packable.length === 0) return null;
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
          onClick={() => pack.mutate(unpacked.map(({ _id }) => _id))}
        >
          Mark as packed{count(unpacked)}
        </Button>
      )}
    </div>
  );
}
