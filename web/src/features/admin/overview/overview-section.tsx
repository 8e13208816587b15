// The overview: what was sold in some days, compared with as many days before. Every figure leads to its orders.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '~/api/error';
import type { Overview } from '~/api/types';
import { formatDate, formatTime } from '~/lib/format';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { Field } from '~/ui/forms/field';
import { AdminSection } from '../console/admin-section';
import { ChoiceFilter } from '../console/choice-filter';
import { useAdminUrl } from '../console/url-state';
import { HoursChart } from './charts/hours-chart';
import { SalesChart } from './charts/sales-chart';
import { StateMap } from './charts/state-map';
import { Figures } from './figures';
import { BestProducts, Categories, VisitFunnel, WorstProducts } from './groups';
import { ordersPathOf } from './orders-path';
import { OverviewLoading } from './overview-loading';
import { overviewQuery } from './overview-query';
import { type Days, daysOf, daysUrl, PERIODS, type Period, parseDays, problemOf, today } from './period';

export default function OverviewSection() {
  const { query, go } = useAdminUrl();
  const days = parseDays(query);
  const problem = problemOf(days);
  const { data, error, isPending, isError, isPlaceholderData, refetch } = useQuery({
    ...overviewQuery(days.from, days.to),
    enabled: problem === '',
  });
  const show = (period: Period) => {
    const { from, to } = days;
    go(daysUrl.write(period === 'range' ? { from, to } : { period }));
  };
  return (
    <AdminSection title="Overview" actions={data && <p className="text-ink-soft">{rangeText(data)}</p>}>
      <ChoiceFilter labels={PERIODS} chosen={days.period} onChange={show} />
      {days.period === 'range' && (
        <RangeFields days={days} problem={problem} onChange={({ from, to }) => go({ from, to }, { replace: true })} />
      )}
      <div className="mt-5">
        {isError && !data ? (
          <ErrorState message={errorMessage(error, 'Failed to fetch the overview')} onRetry={() => void refetch()} />
        ) : isPending && problem === '' ? (
          <OverviewLoading />
        ) : data ? (
          <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60 transition' : ''}>
            {isError && <Alert className="mb-3">{errorMessage(error, 'Failed to fetch the overview')}</Alert>}
            <Charts overview={data} />
          </div>
        ) : null}
      </div>
    </AdminSection>
  );
}

function rangeText({ from, to, previousFrom, previousTo, comparedUntil }: Overview): string {
  const text = (first: string, last: string) =>
    first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`;
  return comparedUntil
    ? `${formatDate(from)} until now, compared with yesterday until ${formatTime(comparedUntil)}`
    : `${text(from, to)}, compared with ${text(previousFrom, previousTo)}`;
}

type RangeProps = { days: Days; problem: string; onChange: (days: { from: string; to: string }) => void };

function RangeFields({ days: { from, to }, problem, onChange }: RangeProps) {
  const last = daysOf('range');
  return (
    <div className="mt-3 grid max-w-md grid-cols-2 gap-3">
      <Field
        label="First day"
        type="date"
        value={from}
        max={today()}
        error={problem || undefined}
        onChange={(event) => onChange({ from: event.target.value || last.from, to })}
      />
      <Field
        label="Last day"
        type="date"
        value={to}
        max={today()}
        onChange={(event) => onChange({ from, to: event.target.value || last.to })}
      />
    </div>
  );
}

function Charts({ overview }: { overview: Overview }) {
  const parts = { overview, ordersPath: ordersPathOf(overview.from, overview.to) };
  return (
    <>
      <Figures {...parts} />
      <div className="mt-5 grid gap-5 xl:grid-cols-2">
        <div className="min-w-0 xl:col-span-2">
          <SalesChart {...parts} />
        </div>
        <BestProducts {...parts} />
        <WorstProducts {...parts} />
        <div className="flex min-w-0 flex-col gap-5">
          <StateMap {...parts} />
          <HoursChart {...parts} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Categories {...parts} />
          <VisitFunnel {...parts} />
        </div>
      </div>
    </>
  );
}
