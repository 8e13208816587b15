// What an import would change, row by row.
import type { ProductImport } from '~/api/types';
import { plural } from '~/lib/format';
import { Badge } from '~/ui/badge';

/** More rows than a person reads. The file itself has all of them. */
const MAX_ROWS = 200;

type Row = ProductImport['rows'][number];

const OUTCOMES = {
  added: { text: 'New', tone: 'green' },
  changed: { text: 'Changed', tone: 'yellow' },
  unchanged: { text: 'Unchanged', tone: 'neutral' },
  invalid: { text: 'Error', tone: 'red' },
} as const;

export function ImportReport({ report }: { report: ProductImport }) {
  // What stops the import is what has to be read first.
  const rows = [...report.rows].sort((one, other) => rankOf(one) - rankOf(other)).slice(0, MAX_ROWS);
  const more = report.rows.length - rows.length;
  return (
    <div className="mt-5">
      <p role="status" className="font-semibold">
        {summary(report)}
      </p>
      {report.ignoredColumns.length > 0 && (
        <p className="mt-1 text-ink-soft">Columns that are not used: {report.ignoredColumns.join(', ')}</p>
      )}
      {rows.length > 0 && (
        <ul
          aria-label="Rows"
          className="mt-3 max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line"
        >
          {rows.map((row) => (
            <li key={row.line} className="px-4 py-3">
              <ReportRow row={row} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="mt-2 text-ink-soft">and {plural(more, 'more row')}</p>}
    </div>
  );
}

const rankOf = (row: Row) => (row.outcome === 'invalid' ? 0 : 1);

function summary({ added, changed, unchanged, invalid }: ProductImport) {
  const parts = [
    added > 0 && `${added} new`,
    changed > 0 && `${changed} changed`,
    unchanged > 0 && `${unchanged} unchanged`,
    invalid > 0 && `${plural(invalid, 'row')} with an error: nothing is imported until the file is corrected`,
  ];
  return parts.filter(Boolean).join(', ') || 'The file has no rows';
}

function ReportRow({ row }: { row: Row }) {
  const { text, tone } = OUTCOMES[row.outcome];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{text}</Badge>
        <span className="min-w-0 font-semibold break-words">{row.productName || row._id || 'No name'}</span>
        <span className="ml-auto text-sm text-ink-soft tabular-nums">Row {row.line}</span>
      </p>
      {row.error && <p className="mt-1 text-chilli">{row.error}</p>}
      {row.changes.length > 0 && (
        <dl className="mt-2 grid gap-x-4 gap-y-1 text-[0.9375rem] sm:grid-cols-[10rem_1fr]">
          {row.changes.map(({ field, from, to }) => (
            <div key={field} className="contents">
              <dt className="text-ink-soft">{field}</dt>
              <dd className="min-w-0 break-words whitespace-pre-line">
                {row.outcome !== 'added' && (
                  <>
                    <del className="text-ink-soft">{from || 'empty'}</del> →{' '}
                  </>
                )}
                <ins className="no-underline">{to || 'empty'}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
