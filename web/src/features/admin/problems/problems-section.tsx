// The problems section: reports of customers, the oldest first, each with what can be done about it.
import { useQuery } from '@tanstack/react-query';
import { plural } from '~/lib/format';
import { Button } from '~/ui/button';
import { AdminSection } from '../console/admin-section';
import { ChoiceFilter } from '../console/choice-filter';
import { EmptyList, PagedList } from '../console/paged-list';
import { toDoQuery } from '../console/to-do-query';
import { useAdminUrl } from '../console/url-state';
import { FILTER_LABELS, type ProblemFilter, problemsUrl } from './problem-filter';
import { ProblemItem } from './problem-item';
import { problemsQuery } from './problem-queries';

export function ProblemsSection() {
  const { query, go } = useAdminUrl();
  const { state: filter, page } = problemsUrl.read(query);
  const list = useQuery(problemsQuery(filter, page));
  const { data: toDo } = useQuery(toDoQuery);

  const show = (state: ProblemFilter, next = 1, how?: { replace?: boolean }) =>
    go(problemsUrl.write({ state, page: next }), how);

  return (
    <AdminSection title="Problems" count={list.data && plural(list.data.total, 'problem')}>
      <ChoiceFilter
        labels={FILTER_LABELS}
        chosen={filter}
        counts={{ open: toDo?.problems ?? list.data?.open }}
        onChange={(state) => show(state)}
      />
      <div className="mt-5">
        <PagedList
          noun="problems"
          list={list}
          items={list.data?.problems ?? []}
          page={page}
          empty={<NoProblems filter={filter} onReset={() => show('all')} />}
          onPage={(next, how) => show(filter, next, how)}
        >
          {(problem) => <ProblemItem problem={problem} />}
        </PagedList>
      </div>
    </AdminSection>
  );
}

function NoProblems({ filter, onReset }: { filter: ProblemFilter; onReset: () => void }) {
  const isToDo = filter === 'unsettled' || filter === 'open';
  return (
    <EmptyList
      text={isToDo ? 'Nothing to do: no open problems.' : 'No problems found.'}
      action={
        filter !== 'all' && (
          <Button variant="ghost" className="mt-3" onClick={onReset}>
            Show all problems
          </Button>
        )
      }
    />
  );
}
