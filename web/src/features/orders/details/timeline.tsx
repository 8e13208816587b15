// The timeline of an order, and the scans of its parcel.
import type { Order } from '~/api/types';
import { shipmentLabel } from '~/shared/order/shipment-status';
import { Icon } from '~/ui/graphics/more-icons';
import { OrderIcon } from '../order-icons';
import { courierUpdates, type TimelineKind, type TimelineStep, timelineSteps } from './timeline-steps';

const colours: Record<TimelineKind, string> = {
  done: 'bg-cardamom-fill text-on-cardamom',
  waiting: 'bg-turmeric text-on-turmeric',
  cancelled: 'bg-chilli-fill text-on-chilli',
  refund: 'bg-sky-wash text-sky',
  problem: 'bg-turmeric-wash text-ink',
  parcel: 'bg-sky-wash text-sky',
  coming: 'border-2 border-dashed border-line-strong text-ink-faint',
};

export function Timeline({ order }: { order: Order }) {
  const steps = timelineSteps(order);
  const isUnexplained = order.orderStatus === 'cancelled' && !steps.some(({ kind }) => kind === 'cancelled');
  return (
    <>
      <ol>
        {steps.map((step, index) => (
          <Step key={`${index} ${step.title}`} step={step} isLast={index === steps.length - 1} />
        ))}
      </ol>
      {/* It was cancelled before orders had a history. */}
      {isUnexplained && (
        <p className="mt-4 rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli">This order was cancelled.</p>
      )}
    </>
  );
}

/** The newest scan, and all of them folded. */
export function CourierUpdates({ order }: { order: Order }) {
  const updates = courierUpdates(order);
  const [newest] = updates;
  if (!newest || !order.shipment) return null;
  const badge = shipmentLabel(order.shipment.status);
  return (
    <div className="mt-3 space-y-2">
      {/* The badge above has its title. */}
      <Update update={newest.title === badge ? { ...newest, title: '' } : newest} />
      {updates.length > 1 && (
        <details className="group">
          <summary className="-mx-2 flex min-h-11 w-fit list-none items-center gap-1.5 rounded-full px-2 text-[0.9375rem] font-semibold transition hover:bg-paper-deep [&::-webkit-details-marker]:hidden">
            All courier updates
            <Icon name="down" className="size-4 transition group-open:rotate-180" />
          </summary>
          <ol className="mt-1 space-y-3 border-l-2 border-line pl-4">
            {updates.map((update, index) => (
              <li key={`${index} ${update.title}`}>
                <Update update={update} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

function Update({ update: { title, hints } }: { update: Omit<TimelineStep, 'kind'> }) {
  return (
    <div className="text-sm [overflow-wrap:anywhere]">
      {title && <p className="font-semibold">{title}</p>}
      {hints.map((hint) => (
        <p key={hint} className="text-ink-soft">
          {hint}
        </p>
      ))}
    </div>
  );
}

function Step({ step: { title, hints, kind }, isLast }: { step: TimelineStep; isLast: boolean }) {
  const isComing = kind === 'coming';
  return (
    <li className="relative grid grid-cols-[2rem_minmax(0,1fr)] gap-x-4 pb-5 last:pb-0">
      {!isLast && <span aria-hidden="true" className="absolute top-8 bottom-0 left-[0.9375rem] w-0.5 bg-line-strong" />}
      <span aria-hidden="true" className={`relative grid size-8 place-items-center rounded-full ${colours[kind]}`}>
        <StepIcon kind={kind} />
      </span>
      <div className="min-w-0 pt-0.5">
        <p className={isComing ? 'text-ink-faint' : 'font-semibold'}>
          {isComing && <span className="sr-only">To come: </span>}
          {title}
        </p>
        {hints.map((hint) => (
          <p key={hint} className="text-sm text-ink-soft">
            {hint}
          </p>
        ))}
      </div>
    </li>
  );
}

function StepIcon({ kind }: { kind: TimelineKind }) {
  const className = 'size-4.5';
  if (kind === 'coming') return null;
  if (kind === 'refund') return <OrderIcon name="refund" className={className} />;
  if (kind === 'parcel') return <Icon name="truck" className={className} />;
  if (kind === 'problem') return <OrderIcon name="parcel" className={className} />;
  return <Icon name={kind === 'done' ? 'check' : kind === 'waiting' ? 'truck' : 'close'} className={className} />;
}
