// When an order arrives, for its card.
import type { Order } from '~/api/types';
import { deliveryText, useDeliveryEstimate } from '~/shared/delivery/estimate';
import { arrivalText } from '~/shared/order/parcel';

/**
 * As the courier expects the parcel. Before that, what the pincode checker says of the address today, or the shop's promise:
 * the line is there from the start. Empty where nothing is under way.
 */
export function useArrival({ shipment, paymentStatus, orderStatus, deliveryAddress }: Order): string {
  const arrival = shipment ? arrivalText(shipment, Date.now()) : '';
  const isComing = paymentStatus === 'completed' && orderStatus === 'confirmed' && !arrival;
  const estimate = useDeliveryEstimate(isComing ? deliveryAddress.pincode : undefined);
  return isComing ? deliveryText(estimate) : arrival;
}
