// The small parts of an order that its card, its details and the payment page share.
import type { Order } from '~/api/types';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { Icon } from '~/ui/icons';
import { statusText, toneOf } from '~/ui/order-words';
import { usePayAgain } from './order-queries';
import { orderCan, type Step, timeline } from './order-rules';

export function StatusBadges({ order }: { order: Order }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Badge tone={toneOf(order.orderStatus)}>
        <span className="sr-only">Order: </span>
        {statusText(order.orderStatus)}
      </Badge>
      <Badge tone={toneOf(order.paymentStatus)}>Payment {order.paymentStatus}</Badge>
    </div>
  );
}

export function PayAgainButton({ order, size = 'md' }: { order: Order; size?: 'sm' | 'md' }) {
  const { payAgain, busy } = usePayAgain();
  if (!orderCan.payAgain(order)) return null;
  return (
    <Button size={size} busy={busy} onClick={() => payAgain(order._id)}>
      Pay again
    </Button>
  );
}

export function Timeline({ order, placedAt }: { order: Order; placedAt: string }) {
  const steps = timeline(order.orderStatus);
  return (
    <ol>
      {steps.map((step, index) => (
        <TimelineStep
          key={step.title}
          step={index === 0 ? { ...step, hint: placedAt } : step}
          isLast={index === steps.length - 1}
        />
      ))}
    </ol>
  );
}

function TimelineStep({ step, isLast }: { step: Step; isLast: boolean }) {
  const isWaiting = step.title === 'Delivery Partner Not Integrated';
  return (
    <li className="relative grid grid-cols-[2rem_1fr] gap-x-4 pb-5 last:pb-0">
      {!isLast && <span aria-hidden="true" className="absolute top-8 bottom-0 left-[0.9375rem] w-0.5 bg-line-strong" />}
      <span
        aria-hidden="true"
        className={`grid size-8 place-items-center rounded-full ${isWaiting ? 'bg-turmeric text-on-turmeric' : 'bg-cardamom-fill text-on-cardamom'}`}
      >
        <Icon name={isWaiting ? 'truck' : 'check'} className="size-4.5" />
      </span>
      <div className="pt-0.5">
        <p className="font-semibold">{step.title}</p>
        {step.hint && <p className="text-sm text-ink-soft">{step.hint}</p>}
      </div>
    </li>
  );
}
