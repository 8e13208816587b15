// What happened to an order, newest first: what, when, who.
import type { OrderEvent } from '~/api/types';
import { formatDateTimeIst } from '~/lib/format';

export function OrderHistory({ events }: { events: OrderEvent[] }) {
  return (
    <section aria-label="History">
      <h2 className="font-sans font-bold">History</h2>
      <ol className="mt-2 space-y-2 border-l-2 border-line-strong/40 pl-4 text-sm">
        {[...events].reverse().map((event) => (
          <li key={event._id + event.kind}>
            <p className="font-semibold [overflow-wrap:anywhere]">{event.text}</p>
            <p className="text-ink-soft [overflow-wrap:anywhere]">
              <time dateTime={event.at} className="tabular-nums">
                {formatDateTimeIst(event.at)}
              </time>
              {' · '}
              {actorName(event.by)}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** `customer`, `shop`, or the email address of an admin. */
export const actorName = (by: string) => (by === 'customer' ? 'Customer' : by === 'shop' ? 'The shop' : by);
