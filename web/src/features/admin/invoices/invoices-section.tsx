// The invoices section: the documents of a month, their sums, and files for the accountant.
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '~/api/error';
import type { InvoicesOfMonth } from '~/api/types';
import { formatAmount, plural } from '~/lib/format';
import { Button, buttonClass, IconButton } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { Icon } from '~/ui/graphics/icons';
import { AdminIcon } from '../console/admin-icon';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { Pagination } from '../console/pagination';
import { useAdminUrl } from '../console/url-state';
import { InvoiceList } from './invoice-list';
import { EXPORTS, exportUrl, invoicesQuery } from './invoice-queries';
import { invoicesUrl, monthName, monthNow, moveMonth, parseMonth } from './month';

const INVOICES_PER_PAGE = 50;

export function InvoicesSection() {
  const { query, go } = useAdminUrl();
  const month = parseMonth(query);
  const list = useQuery(invoicesQuery(month));
  const invoices = list.data?.invoices ?? [];
  const pages = Math.max(1, Math.ceil(invoices.length / INVOICES_PER_PAGE));
  const page = Math.min(invoicesUrl.read(query).page, pages);
  const show = (next: string) => go({ month: next === monthNow() ? undefined : next });
  return (
    <AdminSection
      title="Invoices"
      count={list.data && plural(invoices.length, 'document')}
      actions={<MonthPicker month={month} onChange={show} />}
    >
      <div className="mt-5">
        {list.isPending ? (
          <SectionLoading text="Loading invoices..." />
        ) : list.isError && !list.data ? (
          <ErrorState
            message={errorMessage(list.error, 'Failed to fetch invoices')}
            onRetry={() => void list.refetch()}
          />
        ) : invoices.length === 0 ? (
          <NoInvoices month={month} onPrevious={() => show(moveMonth(month, -1))} />
        ) : (
          <>
            {list.isError && <Alert className="mb-3">{errorMessage(list.error, 'Failed to fetch invoices')}</Alert>}
            {list.data && <Totals sums={list.data} />}
            <Exports month={month} />
            <InvoiceList invoices={invoices.slice((page - 1) * INVOICES_PER_PAGE, page * INVOICES_PER_PAGE)} />
            {pages > 1 && (
              <Pagination
                label="Pages of invoices"
                page={page}
                pages={pages}
                onPage={(next) => go(invoicesUrl.write({ month, page: next }))}
              />
            )}
          </>
        )}
      </div>
    </AdminSection>
  );
}

function MonthPicker({ month, onChange }: { month: string; onChange: (month: string) => void }) {
  return (
    <div className="ml-auto flex items-center gap-1 max-sm:w-full max-sm:justify-between">
      <IconButton label="Previous month" onClick={() => onChange(moveMonth(month, -1))}>
        <Icon name="left" className="size-5" />
      </IconButton>
      <input
        type="month"
        aria-label="Month"
        value={month}
        max={monthNow()}
        onChange={(event) => event.target.value && onChange(event.target.value)}
        className="min-h-11 rounded-md border border-line-strong bg-surface px-3 tabular-nums max-sm:grow"
      />
      <IconButton label="Next month" disabled={month >= monthNow()} onClick={() => onChange(moveMonth(month, 1))}>
        <Icon name="right" className="size-5" />
      </IconButton>
    </div>
  );
}

/** Invoices less credit notes. */
function Totals({ sums }: { sums: InvoicesOfMonth }) {
  const parts: [string, number][] = [
    ['Taxable value', sums.taxable],
    ['CGST', sums.cgst],
    ['SGST / UTGST', sums.sgst],
    ['IGST', sums.igst],
    ['Total', sums.total],
  ];
  return (
    <dl
      aria-label="Invoices less credit notes"
      className="grid grid-cols-2 gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-5 py-4 shadow-card sm:grid-cols-3 lg:grid-cols-5"
    >
      {parts.map(([name, amount]) => (
        <div key={name} className="last:font-bold max-sm:last:col-span-2">
          <dt className="text-sm text-ink-soft">{name}</dt>
          <dd className="text-xl tabular-nums">{formatAmount(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Exports({ month }: { month: string }) {
  return (
    <section aria-label="For the accountant" className="my-5 flex flex-wrap items-center gap-2">
      <h2 className="mr-2 font-sans font-bold max-sm:w-full">For the accountant</h2>
      {EXPORTS.map(({ label, hint, path }) => (
        <a
          key={path}
          href={exportUrl(path, month)}
          download
          title={hint}
          className={buttonClass('secondary', 'sm', '!px-4')}
        >
          <AdminIcon name="download" />
          {label}
          <span className="sr-only">as CSV</span>
        </a>
      ))}
    </section>
  );
}

function NoInvoices({ month, onPrevious }: { month: string; onPrevious: () => void }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        No invoices in {monthName(month)}.
      </p>
      <p className="mt-1 text-ink-soft">An invoice is issued when an order is packed or shipped.</p>
      <Button variant="ghost" className="mt-3" onClick={onPrevious}>
        Show {monthName(moveMonth(month, -1))}
      </Button>
    </div>
  );
}
