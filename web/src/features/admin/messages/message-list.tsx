// The messages of one page. Arrow keys move between them, Enter opens one.
import type { KeyboardEvent } from 'react';
import type { Message } from '~/api/types';
import { formatDateTime } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { moveBetweenRows } from '../console/keyboard';

type Props = { messages: Message[]; selected: string; pathOf: (id: string) => string };

export function MessageList({ messages, selected, pathOf }: Props) {
  // Enter follows the link.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => event.key !== 'Enter' && moveBetweenRows(event);
  return (
    <ul
      aria-label="List of messages"
      onKeyDown={onKeyDown}
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
    >
      {messages.map((message) => (
        <li key={message._id}>
          <Link
            to={pathOf(message._id)}
            data-row
            data-message={message._id}
            aria-current={message._id === selected ? 'true' : undefined}
            className="block min-h-11 border-l-4 border-transparent px-4 py-3 -outline-offset-2 transition hover:bg-paper-deep aria-[current=true]:border-chilli-fill aria-[current=true]:bg-chilli-wash"
          >
            <Entry message={message} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Entry({ message }: { message: Message }) {
  const isUnread = message.readAt === null && message.doneAt === null;
  const note = message.doneAt ? 'Done' : message.replies.length > 0 ? 'Replied' : '';
  return (
    <>
      <span className="flex items-baseline gap-x-2">
        {isUnread && (
          <span className="size-2.5 shrink-0 rounded-full bg-chilli-fill">
            <span className="sr-only">Unread: </span>
          </span>
        )}
        <span className={`min-w-0 flex-1 truncate ${isUnread ? 'font-bold' : 'font-semibold'}`}>
          {message.name || message.email || 'Without a name'}
        </span>
        <time dateTime={message.createdAt} className="shrink-0 text-sm text-ink-soft tabular-nums">
          {formatDateTime(message.createdAt)}
        </time>
      </span>
      <span className="mt-0.5 flex items-baseline gap-x-3">
        <span className={`min-w-0 flex-1 truncate ${isUnread ? '' : 'text-ink-soft'}`}>
          {message.message.split('\n', 1)[0] || 'The message is empty.'}
        </span>
        {note && <span className="shrink-0 text-sm font-semibold text-cardamom">{note}</span>}
      </span>
    </>
  );
}
