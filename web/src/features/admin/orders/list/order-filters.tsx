// The filters above the table of orders.
import type { ReactNode } from 'react';
import { useUrlText } from '~/lib/router/url-text';
import { statusLabel } from '~/shared/order/order-status';
import { Button } from '~/ui/button';
import { Field, Select } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';
import { useIsTablet } from '../../console/screen-width';
import type { UrlValues } from '../../console/url-state';
import {
  fieldFilters,
  figureFilters,
  isFiltered,
  ORDER_STATUSES,
  type OrderFilter,
  orderFilterNow,
  WORK_LABELS,
} from './order-filter';

type Props = { filter: OrderFilter; onChange: (change: UrlValues) => void; onReset: () => void };

export function OrderFilters({ filter, onChange, onReset }: Props) {
  const textField = (name: 'orderId' | 'userId') =>
    [filter[name], () => orderFilterNow()[name], (text: string) => onChange({ [name]: text })] as const;
  const orderId = useUrlText(...textField('orderId'));
  const userId = useUrlText(...textField('userId'));
  const isBackwards = filter.from !== '' && filter.to !== '' && filter.from > filter.to;
  return (
    <search className="mt-5 block max-md:mt-3" aria-label="Filter orders">
      <FilterFold filter={filter} onReset={onReset}>
        <div className="grid grid-cols-2 items-start gap-3 md:grid-cols-3 xl:grid-cols-[repeat(6,minmax(0,1fr))_auto_auto]">
          <Select label="Status" value={filter.status} onChange={(event) => onChange({ status: event.target.value })}>
            <option value="">All</option>
            {ORDER_STATUSES.map((status) => (
              <option key={status} value={status}>
                {statusLabel(status)}
              </option>
            ))}
          </Select>
          <Select label="To do" value={filter.todo} onChange={(event) => onChange({ todo: event.target.value })}>
            <option value="">Anything</option>
            {Object.entries(WORK_LABELS).map(([work, label]) => (
              <option key={work} value={work}>
                {label}
              </option>
            ))}
          </Select>
          <Field label="Order ID" {...orderId} placeholder="Any part of it" spellCheck={false} autoComplete="off" />
          <Field label="User ID" {...userId} placeholder="Any part of it" spellCheck={false} autoComplete="off" />
          <Field
            label="From date"
            type="date"
            value={filter.from}
            error={isBackwards ? 'Later than the To date' : undefined}
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <Field
            label="To date"
            type="date"
            value={filter.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
          <label className="mt-7.5 flex min-h-12 cursor-pointer items-center gap-2.5 font-semibold whitespace-nowrap">
            <input
              type="checkbox"
              checked={filter.deleted === 'true'}
              onChange={(event) => onChange({ deleted: event.target.checked ? 'true' : '' })}
              className="size-6 accent-chilli-fill"
            />
            Deleted orders
          </label>
          <Button
            variant="ghost"
            className="mt-7.5 justify-self-start max-xl:-ml-6"
            disabled={!isFiltered(filter)}
            onClick={onReset}
          >
            Reset
          </Button>
        </div>
      </FilterFold>
      <FigureFilters filter={filter} onChange={onChange} />
    </search>
  );
}

/** Filters that a figure of the overview has set. */
function FigureFilters({ filter, onChange }: Pick<Props, 'filter' | 'onChange'>) {
  const shown = figureFilters(filter);
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Filters from the overview" className="mt-3 flex flex-wrap gap-2">
      {shown.map(({ name, text }) => (
        <li key={name}>
          <button
            type="button"
            onClick={() => onChange({ [name]: '' })}
            className="inline-flex min-h-11 items-center gap-2 rounded-full bg-turmeric-wash px-4 font-semibold transition hover:bg-paper-deep"
          >
            {text}
            <Icon name="close" className="size-4" />
            <span className="sr-only">Remove this filter</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

type FoldProps = Pick<Props, 'filter' | 'onReset'> & { children: ReactNode };

/** On a phone or a tablet the filters are folded, also those that are on: the orders come first. */
function FilterFold({ filter, onReset, children }: FoldProps) {
  const shown = fieldFilters(filter).join(', ');
  if (!useIsTablet()) return children;
  return (
    <div className="flex items-start gap-2">
      <details className="min-w-0 grow rounded-md border border-line bg-surface px-4 open:pb-4">
        <summary className="flex min-h-11 items-center gap-2 font-semibold [&::-webkit-details-marker]:hidden">
          <Icon name="filter" className="size-4.5 shrink-0" />
          <span className="min-w-0 truncate">Filter{shown && `: ${shown}`}</span>
        </summary>
        {children}
      </details>
      {shown && (
        <Button variant="ghost" size="sm" className="shrink-0 !px-3" onClick={onReset}>
          Show all
        </Button>
      )}
    </div>
  );
}
