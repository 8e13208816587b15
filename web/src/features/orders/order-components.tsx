// Components of an order that its card, its details and the payment page share.
import type { Order } from '~/api/types';
import { statusLabel, statusTone } from '~/shared/order/order-status';
import { Badge } from '~/ui/badge';
import { Button } from '~/ui/button';
import { Icon } from '~/ui/icons';
import { orderPermissions, type TimelineStep, timeline } from './order-model';
import { usePayAgain } from './order-queries';

export function StatusBadges({ order }: { order: Order }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Badge tone={statusTone(order.orderStatus)}>
        <span className="sr-only">Order: </span>
        {statusLabel(order.orderStatus)}
      </Badge>
      <Badge tone={statusTone(order.paymentStatus)}>Payment {order.paymentStatus}</Badge>
    </div>
  );
}

export function PayAgainButton({ order, size = 'md' }: { order: Order; size?: 'sm' | 'md' }) {
  const { payAgain, busy } = usePayAgain();
  if (!orderPermissions.payAgain(order)) return null;
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
        <TimelineItem
          key={step.title}
          step={index === 0 ? { ...step, hint: placedAt } : step}
          isLast={index === steps.length - 1}
        />
      ))}
    </ol>
  );
}

function TimelineItem({ step, isLast }: { step: TimelineStep; isLast: boolean }) {
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
