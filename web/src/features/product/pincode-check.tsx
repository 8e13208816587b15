// 'Deliver to': checks a pincode as soon as it has six digits. The last one that exists is remembered.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { pincodeQuery } from '~/api/queries/catalogue';
import { DeliveryOffer } from '~/shared/delivery/charge';
import { deliveryText, NOT_SERVED } from '~/shared/delivery/estimate';
import { rememberPincode, useRememberedPincode } from '~/shared/delivery/pincode';
import { Spinner } from '~/ui/button';
import { inputClass } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';

const LENGTH = 6;

export function PincodeCheck() {
  const remembered = useRememberedPincode();
  const [typed, setTyped] = useState<string | null>(null);
  const pin = typed ?? remembered;
  const id = useId();
  const { data, isFetching, isError } = useQuery({
    ...pincodeQuery(pin),
    enabled: pin.length === LENGTH,
    retry: false,
  });
  const office = data?.Status === 'Success' ? data.PostOffice?.[0] : undefined;
  const complete = pin.length === LENGTH && !isFetching;
  // Without a delivery partner, or if it does not respond in time, the shop's promise stands.
  const delivery = complete && office ? data?.delivery : undefined;
  const isServed = delivery?.serviceable !== false;
  const failure = complete && (isError ? 'Something went wrong.' : data && !office ? 'Invalid pincode.' : '');

  const isKnown = complete && office !== undefined;
  useEffect(() => {
    if (typed !== null && isKnown) rememberPincode(typed);
    else if (typed === '') rememberPincode('');
  }, [typed, isKnown]);

  return (
    <div className="rounded-lg border border-line bg-surface p-5">
      <div className="flex items-start gap-3">
        <Icon name="truck" className={`size-6 shrink-0 ${isServed ? 'text-cardamom' : 'text-chilli'}`} />
        <div>
          <p className="font-semibold" aria-live="polite">
            {isServed ? deliveryText(delivery) : NOT_SERVED}
          </p>
          {isServed && <DeliveryOffer className="text-[0.9375rem] text-cardamom" />}
        </div>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <label htmlFor={id} className="font-semibold">
          Deliver to
        </label>
        <div className="relative max-w-full">
          <input
            id={id}
            inputMode="numeric"
            autoComplete="postal-code"
            maxLength={LENGTH}
            placeholder="Pincode"
            value={pin}
            onChange={(event) => setTyped(event.target.value.trim().slice(0, LENGTH))}
            aria-invalid={failure ? true : undefined}
            aria-describedby={`${id}-result`}
            className={`${inputClass} !w-40 max-w-full tracking-widest tabular-nums placeholder:tracking-normal`}
          />
          {isFetching && (
            <span className="absolute top-4 right-3 text-ink-soft">
              <Spinner />
            </span>
          )}
        </div>
        {/* It keeps its line: the place of a pincode that is remembered is known only after the page is shown. */}
        <p
          id={`${id}-result`}
          role="status"
          className={`min-h-6 font-medium max-sm:basis-full ${failure ? 'text-chilli' : 'text-cardamom'}`}
        >
          {failure || (complete && office && `${office.District}, ${office.State}`)}
        </p>
      </div>
    </div>
  );
}
