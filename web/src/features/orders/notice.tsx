// A band in an order with something to know and, beside it, what can be done.
import type { ReactNode } from 'react';
import { OrderIcon, type OrderIconName } from './order-icons';

type Props = { icon: OrderIconName; tone?: 'plain' | 'turmeric' | 'cardamom'; children: ReactNode; action?: ReactNode };

const tones = {
  plain: 'bg-paper-deep',
  turmeric: 'bg-turmeric-wash',
  cardamom: 'bg-cardamom-wash',
};

export function Notice({ icon, tone = 'plain', children, action }: Props) {
  return (
    <div className={`flex flex-wrap items-center gap-x-5 gap-y-3 rounded-md px-4 py-3 ${tones[tone]}`}>
      <div className="flex min-w-[min(14rem,100%)] flex-1 gap-3">
        <OrderIcon name={icon} className="mt-0.5 size-5 shrink-0" />
        <div className="min-w-0 text-[0.9375rem] leading-relaxed">{children}</div>
      </div>
      {action}
    </div>
  );
}
