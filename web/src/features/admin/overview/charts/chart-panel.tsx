// A chart with its table: one of them is shown. The table is for screen readers, for links to the orders, and as a file.
import { type ReactNode, useId, useState } from 'react';
import { Link } from '~/lib/router/router';
import { Button, buttonClass } from '~/ui/button';
import { AdminIcon } from '../../console/admin-icon';
import { type Cell, downloadCsv } from './csv';

export type TableRow = {
  key: string;
  cells: Cell[];
  /** The cells as they are shown, where that differs. */
  texts?: string[];
  /** The orders of the row; the first cell is the link. */
  to?: string;
};

type Props = {
  title: string;
  hint?: string;
  /** The name of the file, without its ending. */
  file: string;
  columns: string[];
  rows: TableRow[];
  /** Shown in place of chart and table. */
  emptyText?: string;
  className?: string;
  children: ReactNode;
};

export function ChartPanel({ title, hint, file, columns, rows, emptyText, className = '', children }: Props) {
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  return (
    <section
      aria-labelledby={id}
      className={`flex min-w-0 flex-col rounded-lg border border-line bg-surface p-4 shadow-card sm:p-5 ${className}`}
    >
      <div className="flex min-h-9 items-center gap-3">
        <h2 id={id} className="min-w-0 grow font-display text-name">
          {title}
        </h2>
        {emptyText === undefined && (
          <div className="-mr-2 flex shrink-0">
            <Button
              variant="ghost"
              size="sm"
              className="!px-3"
              aria-pressed={isTable}
              onClick={() => setIsTable(!isTable)}
            >
              {isTable ? 'Chart' : 'Table'}
              <span className="sr-only">: {title}</span>
            </Button>
            <button
              type="button"
              className={buttonClass('ghost', 'sm', '!px-3')}
              onClick={() =>
                downloadCsv(
                  `${file}.csv`,
                  columns,
                  rows.map(({ cells }) => cells),
                )
              }
            >
              <AdminIcon name="download" className="size-4.5" />
              CSV
              <span className="sr-only">: {title}</span>
            </button>
          </div>
        )}
      </div>
      {hint && <p className="text-sm text-ink-soft">{hint}</p>}
      <div className="mt-4 grow">
        {emptyText !== undefined ? (
          <p role="status" className="py-10 text-center text-ink-soft">
            {emptyText}
          </p>
        ) : isTable ? (
          <DataTable caption={title} columns={columns} rows={rows} />
        ) : (
          children
        )}
      </div>
    </section>
  );
}

/** The first column is a text, the others are numbers. */
export function DataTable({ caption, columns, rows }: { caption: string; columns: string[]; rows: TableRow[] }) {
  return (
    <section
      aria-label={`${caption}, all rows`}
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-md border border-line"
    >
      <table className="w-full border-collapse text-[0.9375rem]">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-paper-deep">
          <tr>
            {columns.map((column, at) => (
              <th
                key={column}
                scope="col"
                className={`px-3 py-2 font-semibold ${at === 0 ? 'text-left' : 'text-right'}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ key, cells, texts, to }) => (
            <tr key={key}>
              {cells.map((cell, at) => {
                const text = texts?.[at] ?? String(cell);
                return at === 0 ? (
                  <th key={columns[at]} scope="row" className="px-3 py-1 text-left font-normal">
                    {to ? (
                      <Link
                        to={to}
                        className="inline-flex min-h-8 items-center underline decoration-line-strong underline-offset-4 hover:text-chilli"
                      >
                        {text}
                      </Link>
                    ) : (
                      text
                    )}
                  </th>
                ) : (
                  <td key={columns[at]} className="px-3 py-1 text-right whitespace-nowrap tabular-nums">
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
