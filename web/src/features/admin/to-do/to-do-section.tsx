// What needs a person, in one list. Each entry leads to its list.
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { errorMessage } from '~/api/error';
import { formatNumber, plural } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { buttonClass } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { AdminIcon } from '../console/admin-icon';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { toDoQuery } from '../console/to-do-query';
import { useAdminUrl } from '../console/url-state';
import { FailedEmails } from './failed-emails';
import { countAll, overduePath, type ToDoEntry, toDoEntries } from './to-do-list';

const GROUPS: { tone: ToDoEntry['tone']; title: string }[] = [
  { tone: 'late', title: 'First' },
  { tone: 'due', title: 'Today' },
];

export function ToDoSection() {
  const { data: toDo, error, isPending, isError, refetch } = useQuery(toDoQuery);
  const { query } = useAdminUrl();
  const entries = toDo ? toDoEntries(toDo) : [];
  return (
    <AdminSection title="To do" className="max-w-4xl" count={toDo && `${formatNumber(countAll(toDo))} waiting`}>
      {isPending ? (
        <SectionLoading text="Loading what is to do..." />
      ) : !toDo ? (
        <div className="mt-5">
          <ErrorState message={errorMessage(error, 'Failed to fetch what is to do')} onRetry={() => void refetch()} />
        </div>
      ) : (
        <div className="mt-5 space-y-7">
          {isError && <Alert>{errorMessage(error, 'Failed to fetch what is to do')}</Alert>}
          <Overdue count={toDo.overdue} />
          {entries.length === 0 ? (
            <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
              <p role="status" className="text-lg">
                Nothing is waiting for you.
              </p>
              <p className="mt-1 text-ink-soft">New orders, messages and problems appear here.</p>
            </div>
          ) : (
            GROUPS.map(({ tone, title }) => (
              <Entries key={tone} title={title} entries={entries.filter((each) => each.tone === tone)} />
            ))
          )}
          {query.get('show') === 'emails' && <FailedEmails />}
        </div>
      )}
    </AdminSection>
  );
}

function Entries({ title, entries }: { title: string; entries: ToDoEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-2 font-sans text-sm font-bold tracking-wide text-ink-soft uppercase">{title}</h2>
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {entries.map((entry) => (
          <li key={entry.kind}>
            <Entry entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ entry: { tone, icon, count, title, hint, action, to } }: { entry: ToDoEntry }) {
  const mark = tone === 'late' ? 'bg-chilli-wash text-chilli' : 'bg-paper-deep text-ink-soft dark:bg-line';
  const id = useId();
  return (
    // The link is as large as its row.
    <div className="relative flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 transition hover:bg-paper-deep sm:px-5">
      <span className={`grid size-11 shrink-0 place-items-center rounded-full ${mark}`}>
        <AdminIcon name={icon} className="size-5.5" />
      </span>
      <p id={id} className="min-w-0 flex-1 basis-40">
        <span className="block font-semibold tabular-nums">
          {formatNumber(count)} {title}
        </span>
        <span className="block text-sm text-ink-soft">{hint}</span>
      </p>
      <Link
        to={to}
        aria-describedby={id}
        className={buttonClass(
          tone === 'late' ? 'primary' : 'secondary',
          'sm',
          'min-w-28 shrink-0 tabular-nums after:absolute after:inset-0 max-sm:ml-15',
        )}
      >
        {action} {formatNumber(count)}
      </Link>
    </div>
  );
}

/** Counted in the entries below, as orders to pack or to ship. */
function Overdue({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg bg-chilli-wash px-4 py-2 text-chilli sm:px-5">
      <span className="font-semibold">
        {plural(count, 'order is', 'orders are')} overdue: paid more than 7 days ago and not shipped.
      </span>
      <Link to={overduePath} className="link inline-flex min-h-11 items-center">
        Show {count === 1 ? 'it' : 'them'}
      </Link>
    </p>
  );
}
