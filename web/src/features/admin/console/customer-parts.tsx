// What belongs to a customer, as lists of links: for the customer's page, an order's page and a message.
import type { ReactNode } from 'react';
import type { CustomerOrder, Message, Problem } from '~/api/types';
import { formatAmount, formatDate } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId, statusLabel, statusTone } from '~/shared/order/order-status';
import { Badge, type Tone } from '~/ui/badge';
import { adminPath, orderPath } from './url-state';

type PartProps = { title: string; count: number; empty: string; children: ReactNode };

export function CustomerPart({ title, count, empty, children }: PartProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface p-5 shadow-card">
      <h2 className="mb-3 flex items-baseline gap-2 font-sans text-lg font-bold">
        {title}
        {count > 0 && <span className="text-base font-normal text-ink-soft tabular-nums">{count}</span>}
      </h2>
      {count === 0 ? <p className="text-ink-soft">{empty}</p> : children}
    </section>
  );
}

export function CustomerOrders({ orders }: { orders: CustomerOrder[] }) {
  return (
    <ul className="divide-y divide-line">
      {orders.map((order) => (
        <li key={order._id} className="py-2.5 first:pt-0 last:pb-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link className="link font-semibold tabular-nums" to={orderPath(order._id)}>
              {order.orderNumber}
            </Link>
            <span className="text-ink-soft tabular-nums">{formatDate(order.createdAt)}</span>
            <span className="font-semibold tabular-nums">{formatAmount(order.totalAmount)}</span>
            <Badge tone={statusTone(order.orderStatus)}>{statusLabel(order.orderStatus)}</Badge>
            {order.paymentStatus !== 'completed' && (
              <Badge tone={statusTone(order.paymentStatus)}>Payment {order.paymentStatus}</Badge>
            )}
            {order.deletedAt && <Badge>Deleted</Badge>}
          </p>
          <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">{order.packs}</p>
        </li>
      ))}
    </ul>
  );
}

const problemTones: Record<Problem['state'], Tone> = {
  open: 'yellow',
  replaced: 'green',
  refunded: 'green',
  declined: 'neutral',
};

export function ProblemLinks({ problems }: { problems: Problem[] }) {
  return (
    <ul className="divide-y divide-line">
      {problems.map((problem) => (
        <li key={problem._id} className="py-2.5 first:pt-0 last:pb-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              className="link font-semibold"
              to={adminPath('problems', { state: problem.state === 'open' ? 'open' : 'all' })}
            >
              Order {shortId(problem.orderId)}
            </Link>
            <span className="text-ink-soft tabular-nums">{formatDate(problem.createdAt)}</span>
            <Badge tone={problemTones[problem.state]}>
              {problem.state === 'open' ? 'To decide' : statusLabel(problem.state)}
            </Badge>
          </p>
          {problem.message && <p className="line-clamp-3 [overflow-wrap:anywhere]">{problem.message}</p>}
        </li>
      ))}
    </ul>
  );
}

export function MessageLinks({ messages }: { messages: Message[] }) {
  return (
    <ul className="divide-y divide-line">
      {messages.map((message) => (
        <li key={message._id} className="py-2.5 first:pt-0 last:pb-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              className="link font-semibold tabular-nums"
              to={adminPath('messages', { state: 'all', message: message._id })}
            >
              {formatDate(message.createdAt)}
            </Link>
            {message.doneAt ? <Badge tone="green">Done</Badge> : message.replies.length > 0 && <Badge>Replied</Badge>}
          </p>
          <p className="line-clamp-3 [overflow-wrap:anywhere]">{message.message}</p>
        </li>
      ))}
    </ul>
  );
}
