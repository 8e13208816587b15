// 'Deliver to': checks a pincode as soon as it has six digits.
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { pincodeQuery } from '~/api/queries/catalogue';
import { formatDay } from '~/lib/format';
import { NOT_SERVED } from '~/shared/address/served';
import { Spinner } from '~/ui/button';
import { inputClass } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';

const LENGTH = 6;

export function PincodeCheck() {
  const [pin, setPin] = useState('');
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

  return (
    <div className="rounded-lg border border-line bg-surface p-5">
      <p className="flex items-center gap-3 font-semibold" aria-live="polite">
        <Icon name="truck" className={`size-6 shrink-0 ${isServed ? 'text-cardamom' : 'text-chilli'}`} />
        {isServed ? (delivery?.by ? `Delivery by ${formatDay(delivery.by)}` : 'Delivery within 3-5 days') : NOT_SERVED}
      </p>
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
            onChange={(event) => setPin(event.target.value.trim().slice(0, LENGTH))}
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
        <p id={`${id}-result`} role="status" className={`font-medium ${failure ? 'text-chilli' : 'text-cardamom'}`}>
          {failure || (complete && office && `${office.District}, ${office.State}`)}
        </p>
      </div>
    </div>
  );
}
