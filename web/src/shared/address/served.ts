// Whether the courier delivers to the pincode of an address, as the pincode checker knows it.
import { useQuery } from '@tanstack/react-query';
import { pincodeQuery } from '~/api/queries/catalogue';

export const NOT_SERVED = 'Our courier does not deliver to this pincode yet';

const REFETCH_MS = 30_000;

/** False only if the delivery partner says so: if it does not respond, the shop sells. */
export function useIsServed(pincode: string | undefined): boolean {
  const { data } = useQuery({
    ...pincodeQuery(pincode ?? ''),
    enabled: pincode !== undefined && /^[1-9]\d{5}$/.test(pincode),
    retry: false,
    // The partner may have been wrong for a moment; the server remembers it for 30 seconds.
    refetchInterval: ({ state }) => (state.data?.delivery?.serviceable === false ? REFETCH_MS : false),
  });
  return data?.delivery?.serviceable !== false;
}
