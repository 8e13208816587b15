// Packing: which of the selected orders can be packed, and the file with their slips.
import type { Order } from '~/api/types';

type Packable = Pick<Order, '_id' | 'orderStatus' | 'paymentStatus' | 'packedAt'>;

/** As `pack_orders` of the server has it (crates/app/src/orders/packing.rs). */
export const canPack = ({ orderStatus, paymentStatus }: Packable) =>
  orderStatus === 'confirmed' && paymentStatus === 'completed';

export const isPacked = (order: Packable) => canPack(order) && order.packedAt !== null;

export function packingUrl(orders: Packable[]): string {
  return `/api/admin/packing.pdf?orders=${orders.map(({ _id }) => encodeURIComponent(_id)).join(',')}`;
}
