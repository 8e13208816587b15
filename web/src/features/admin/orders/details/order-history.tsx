// What happened to an order, newest first: what, when, who. With what staff wrote down.
import type { OrderEvent, OrderNote } from '~/api/types';
import { formatDateTimeIst } from '~/lib/format';

type Props = { events: OrderEvent[]; notes?: OrderNote[] | undefined };

export function OrderHistory({ events, notes = [] }: Props) {
  const entries = [
    ...events.map((event) => ({ ...event, key: event._id + event.kind, isNote: false })),
    ...notes.map((note) => ({ ...note, key: note._id, isNote: true })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return (
    <section aria-label="History">
      <h2 className="font-sans font-bold">History</h2>
      <ol className="mt-2 space-y-2 border-l-2 border-line-strong/40 pl-4 text-sm">
        {entries.reverse().map((event) => (
          <li key={event.key} className={event.isNote ? 'rounded-md bg-turmeric-wash px-3 py-2' : ''}>
            {event.isNote ? (
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                <span className="font-semibold">Note: </span>
                {event.text}
              </p>
            ) : (
              <p className="font-semibold [overflow-wrap:anywhere]">{event.text}</p>
            )}
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
