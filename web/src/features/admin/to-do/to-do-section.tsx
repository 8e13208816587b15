// What needs a person, in one list. Each entry leads to its list.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '~/api/error';
import { formatNumber } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/icons';
import { AdminIcon } from '../console/admin-icon';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { useAdminUrl } from '../console/url-state';
import { FailedEmails } from './failed-emails';
import { countAll, type ToDoEntry, toDoEntries } from './to-do-list';
import { toDoQuery } from './to-do-queries';

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

function Entry({ entry: { tone, icon, count, title, hint, to } }: { entry: ToDoEntry }) {
  const mark = tone === 'late' ? 'bg-chilli-wash text-chilli' : 'bg-paper-deep text-ink-soft dark:bg-line';
  return (
    <Link
      to={to}
      className="group flex min-h-16 items-center gap-4 px-4 py-3 transition hover:bg-paper-deep focus-visible:-outline-offset-3 sm:px-5"
    >
      <span className={`grid size-11 shrink-0 place-items-center rounded-full ${mark}`}>
        <AdminIcon name={icon} className="size-5.5" />
      </span>
      <span className="min-w-9 text-right font-display text-2xl leading-none tabular-nums">{formatNumber(count)}</span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{title}</span>
        <span className="block text-sm text-ink-soft">{hint}</span>
      </span>
      <Icon name="right" className="size-5 shrink-0 text-ink-soft transition group-hover:translate-x-0.5" />
    </Link>
  );
}
