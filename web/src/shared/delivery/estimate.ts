// Whether the courier delivers to a pincode, and by which day, as the pincode checker knows it.
import { useQuery } from '@tanstack/react-query';
import { pincodeQuery } from '~/api/queries/catalogue';
import type { PincodeResponse } from '~/api/types';
import { formatDay } from '~/lib/format';

/** What the shop promises where the day is not known. */
export const DELIVERY_PROMISE = 'Delivery within 3-5 days';
export const NOT_SERVED = 'Our courier does not deliver to this pincode yet';

const REFETCH_MS = 30_000;

/** Undefined where the pincode is none, and if the delivery partner does not respond. */
export function useDeliveryEstimate(pincode: string | undefined): PincodeResponse['delivery'] {
  const { data } = useQuery({
    ...pincodeQuery(pincode ?? ''),
    enabled: pincode !== undefined && /^[1-9]\d{5}$/.test(pincode),
    retry: false,
    // The partner may have been wrong for a moment; the server remembers it for 30 seconds.
    refetchInterval: ({ state }) => (state.data?.delivery?.serviceable === false ? REFETCH_MS : false),
  });
  return data?.delivery;
}

/** False only if the delivery partner says so: if it does not respond, the shop sells. */
export const useIsServed = (pincode: string | undefined): boolean =>
  useDeliveryEstimate(pincode)?.serviceable !== false;

/** 'Delivery by Sat 21 Nov', or `otherwise` where the day is not known. */
export function deliveryText(estimate: PincodeResponse['delivery'], otherwise: string = DELIVERY_PROMISE): string {
  return estimate?.serviceable && estimate.by ? `Delivery by ${formatDay(estimate.by)}` : otherwise;
}
