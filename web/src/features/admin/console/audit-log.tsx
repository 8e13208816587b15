// The audit log of one order or product, loaded when it is opened.
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { errorMessage } from '~/api/error';
import { formatDateTimeIst } from '~/lib/format';
import { statusLabel } from '~/shared/order/order-status';
import { Button, Spinner } from '~/ui/button';
import { Icon } from '~/ui/graphics/more-icons';
import { auditLogQuery } from './audit-log-query';

type Props = { about: string; title?: string; className?: string };

export function AuditLog({ about, title = 'History', className = '' }: Props) {
  const [open, setOpen] = useState(false);
  const listId = useId();
  return (
    <section aria-label={title} className={className}>
      <Button
        variant="ghost"
        size="sm"
        className="-ml-2 !px-2"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        {title}
        <Icon name="down" className={`size-4 transition ${open ? 'rotate-180' : ''}`} />
      </Button>
      <div id={listId} hidden={!open}>
        {open && <Entries about={about} />}
      </div>
    </section>
  );
}

function Entries({ about }: { about: string }) {
  const { data: entries, isPending, isError, error, refetch } = useQuery(auditLogQuery(about));
  if (isPending) {
    return (
      <p role="status" className="flex items-center gap-2.5 py-2 text-sm text-ink-soft">
        <Spinner className="size-4" />
        Loading history...
      </p>
    );
  }
  if (isError) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-x-3 text-sm text-chilli">
        {errorMessage(error, 'Failed to fetch history')}
        <Button variant="ghost" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (entries.length === 0) return <p className="py-2 text-sm text-ink-soft">Nobody has changed anything here yet.</p>;
  return (
    <ol className="max-h-80 space-y-2.5 overflow-y-auto border-l-2 border-line-strong/40 py-1 pl-4 text-sm">
      {entries.map((entry) => (
        <li key={`${entry.at} ${entry.action} ${entry.detail}`}>
          <p className="[overflow-wrap:anywhere]">
            <span className="font-semibold">{statusLabel(entry.action)}</span>
            {entry.detail && `: ${entry.detail}`}
          </p>
          <p className="text-ink-soft [overflow-wrap:anywhere]">
            <time dateTime={entry.at} className="tabular-nums">
              {formatDateTimeIst(entry.at)}
            </time>
            {' · '}
            {entry.who}
          </p>
        </li>
      ))}
    </ol>
  );
}
