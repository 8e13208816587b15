// Views of the list of orders that are used every day, as links that set its filter, with how many orders wait in each.
import { useQuery } from '@tanstack/react-query';
import type { ToDo } from '~/api/types';
import { Link } from '~/lib/router/router';
import { toDoQuery } from '../../console/to-do-query';
import { adminPath } from '../../console/url-state';
import { isFiltered, type OrderFilter, type WORK_LABELS } from './order-filter';

type View = { label: string; todo: keyof typeof WORK_LABELS | ''; count?: (toDo: ToDo) => number };

const VIEWS: View[] = [
  { label: 'All', todo: '' },
  { label: 'To pack', todo: 'pack', count: ({ toPack }) => toPack },
  { label: 'To ship', todo: 'ship', count: ({ toShip }) => toShip },
  { label: 'Overdue', todo: 'overdue', count: ({ overdue }) => overdue },
  { label: 'Problems', todo: 'problem', count: ({ problems }) => problems },
];

export function SavedViews({ filter }: { filter: OrderFilter }) {
  const { data: toDo } = useQuery(toDoQuery);
  const isAlone = (todo: View['todo']) => filter.todo === todo && !isFiltered({ ...filter, todo: '' });
  return (
    <nav aria-label="Views" className="mt-4">
      {/* On a phone one row that scrolls, so that the orders come first. */}
      <ul className="flex gap-2 max-md:-mx-4 max-md:-my-1.5 max-md:overflow-x-auto max-md:px-4 max-md:py-1.5 md:flex-wrap">
        {VIEWS.map(({ label, todo, count }) => (
          <li key={label}>
            <Link
              to={adminPath('orders', { todo })}
              aria-current={isAlone(todo) ? 'page' : undefined}
              className="inline-flex min-h-11 items-center gap-2 rounded-full border whitespace-nowrap border-line-strong px-4 font-semibold transition hover:bg-paper-deep aria-[current=page]:border-ink aria-[current=page]:bg-ink aria-[current=page]:text-paper"
            >
              {label}
              {toDo && count && <span className="tabular-nums">({count(toDo)})</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
