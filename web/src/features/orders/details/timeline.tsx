// The timeline of an order.
import type { Order } from '~/api/types';
import { Icon } from '~/ui/graphics/more-icons';
import { OrderIcon } from '../order-icons';
import { type TimelineKind, type TimelineStep, timelineSteps } from './timeline-steps';

const colours: Record<TimelineKind, string> = {
  done: 'bg-cardamom-fill text-on-cardamom',
  waiting: 'bg-turmeric text-on-turmeric',
  cancelled: 'bg-chilli-fill text-on-chilli',
  refund: 'bg-sky-wash text-sky',
  problem: 'bg-turmeric-wash text-ink',
  parcel: 'bg-paper-deep text-ink-soft dark:bg-line',
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

function Step({ step: { title, hints, kind }, isLast }: { step: TimelineStep; isLast: boolean }) {
  return (
    <li className="relative grid grid-cols-[2rem_1fr] gap-x-4 pb-5 last:pb-0">
      {!isLast && <span aria-hidden="true" className="absolute top-8 bottom-0 left-[0.9375rem] w-0.5 bg-line-strong" />}
      <span aria-hidden="true" className={`relative grid size-8 place-items-center rounded-full ${colours[kind]}`}>
        <StepIcon kind={kind} />
      </span>
      <div className="min-w-0 pt-0.5">
        <p className="font-semibold">{title}</p>
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
  if (kind === 'refund') return <OrderIcon name="refund" className={className} />;
  if (kind === 'parcel') return <Icon name="truck" className={className} />;
  if (kind === 'problem') return <OrderIcon name="parcel" className={className} />;
  return <Icon name={kind === 'done' ? 'check' : kind === 'waiting' ? 'truck' : 'close'} className={className} />;
}
