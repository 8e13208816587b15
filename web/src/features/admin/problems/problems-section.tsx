// The problems section: reports of customers, the oldest first, each with what can be done about it.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { errorMessage } from '~/api/error';
import { Button, Spinner } from '~/ui/button';
import { ErrorState } from '~/ui/error-state';
import { plural } from '~/ui/format';
import { ChoiceFilter } from '../shared/choice-filter';
import { Pagination } from '../shared/pagination';
import { parsePage, useAdminUrl } from '../shared/url-state';
import { FILTER_LABELS, type ProblemFilter, problemFilter } from './problem-filter';
import { ProblemItem } from './problem-item';
import { problemsQuery } from './problem-queries';

export function ProblemsSection() {
  const { query, go } = useAdminUrl();
  const filter = problemFilter(query);
  const page = parsePage(query.get('page'));
  const list = useQuery(problemsQuery(filter, page));
  const problems = list.data?.problems ?? [];
  const pages = Math.max(1, list.data?.pages ?? 1);

  const show = (state: ProblemFilter, next = 1, how?: { replace?: boolean }) =>
    go({ state: state === 'unsettled' ? undefined : state, page: next > 1 ? String(next) : undefined }, how);

  // The last problem of the last page was settled, or the URL names a page that does not exist.
  const isBeyond = list.isSuccess && !list.isPlaceholderData && page > pages;
  const goBack = useEffectEvent(() => show(filter, pages, { replace: true }));
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);

  return (
    <section aria-labelledby="section-title">
      <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 id="section-title" className="text-heading">
          Problems
        </h1>
        {list.data && <p className="text-ink-soft tabular-nums">{plural(list.data.total, 'problem')}</p>}
      </div>
      <ChoiceFilter
        labels={FILTER_LABELS}
        chosen={filter}
        counts={{ open: list.data?.open }}
        onChange={(state) => show(state)}
      />
      <div className="mt-5">
        {list.isPending ? (
          <p role="status" className="flex items-center justify-center gap-3 py-20 text-ink-soft">
            <Spinner className="size-5" />
            Loading problems...
          </p>
        ) : list.isError && !list.data ? (
          <ErrorState
            message={errorMessage(list.error, 'Failed to fetch problems')}
            onRetry={() => void list.refetch()}
          />
        ) : problems.length === 0 ? (
          <NoProblems filter={filter} onReset={() => show('all')} />
        ) : (
          <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition' : ''}>
            {list.isError && (
              <p role="alert" className="mb-3 rounded-md bg-chilli-wash px-4 py-3 font-semibold text-chilli">
                {errorMessage(list.error, 'Failed to fetch problems')}
              </p>
            )}
            <ul aria-label="List of problems" className="grid gap-4">
              {problems.map((problem) => (
                <li key={problem._id}>
                  <ProblemItem problem={problem} />
                </li>
              ))}
            </ul>
            <Pagination
              label="Pages of problems"
              page={Math.min(page, pages)}
              pages={pages}
              onPage={(next) => show(filter, next)}
            />
          </div>
        )}
      </div>
    </section>
  );
}

function NoProblems({ filter, onReset }: { filter: ProblemFilter; onReset: () => void }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        {filter === 'unsettled' || filter === 'open' ? 'Nothing to do: no open problems.' : 'No problems found.'}
      </p>
      {filter !== 'all' && (
        <Button variant="ghost" className="mt-3" onClick={onReset}>
          Show all problems
        </Button>
      )}
    </div>
  );
}
