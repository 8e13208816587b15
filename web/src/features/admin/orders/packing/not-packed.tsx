// Why an order was not packed. The message stays with the order until it is packed or is not to be packed any more.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { adminKeys } from '~/api/queries/admin-keys';
import type { Order } from '~/api/types';
import { Alert } from '~/ui/feedback/alert';
import { canPack, isPacked } from './packing';

/** The messages by the id of the order. */
export type NotPackedMessages = Record<string, string>;

const notPackedQuery = queryOptions({
  queryKey: adminKeys.notPacked,
  queryFn: (): NotPackedMessages => ({}),
  initialData: {},
  enabled: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

function useMessage(order: Order): string | undefined {
  const { data } = useQuery(notPackedQuery);
  return canPack(order) && !isPacked(order) ? data[order._id] : undefined;
}

type Props = { order: Order };

export function NotPacked({ order, className = '' }: Props & { className?: string }) {
  const message = useMessage(order);
  if (!message) return null;
  return <Alert className={className}>Not packed. {message}</Alert>;
}

/** The same as a row of the table. */
export function NotPackedRow({ order, columns }: Props & { columns: number }) {
  const message = useMessage(order);
  if (!message) return null;
  return (
    <tr>
      <td colSpan={columns} className="whitespace-normal">
        <NotPacked order={order} />
      </td>
    </tr>
  );
}
