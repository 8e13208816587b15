// Labels and colours of the statuses of a parcel, for customers and admins.
import type { ShipmentStatus } from '~/api/types';
import type { Tone } from '~/ui/badge';

const words: Record<ShipmentStatus, [label: string, tone: Tone]> = {
  preparing: ['Being prepared', 'yellow'],
  ready: ['Ready for the courier', 'yellow'],
  picked_up: ['Picked up', 'blue'],
  in_transit: ['In transit', 'blue'],
  out_for_delivery: ['Out for delivery', 'blue'],
  undelivered: ['Delivery attempt failed', 'yellow'],
  returning: ['On its way back to us', 'yellow'],
  delivered: ['Delivered', 'green'],
  returned: ['Returned to the shop', 'red'],
  lost: ['Lost or damaged', 'red'],
  cancelled: ['Cancelled', 'neutral'],
};

export const shipmentLabel = (status: ShipmentStatus): string => words[status][0];
export const shipmentTone = (status: ShipmentStatus): Tone => words[status][1];
