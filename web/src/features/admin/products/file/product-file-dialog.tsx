// Products as CSV files: download all of them, or import a changed file. An import shows first what it would change.
import { type ChangeEvent, useId, useState } from 'react';
import { plural } from '~/lib/format';
import { Button, buttonClass, Spinner } from '~/ui/button';
import { Dialog, DialogActions } from '~/ui/dialog/dialog';
import { Alert } from '~/ui/feedback/alert';
import { ImportReport } from './import-report';
import { useImportProducts } from './product-file-queries';

type Props = { open: boolean; onClose: () => void };

export function ProductFileDialog({ open, onClose }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Products as a file" width="48rem">
      <ProductFile onDone={onClose} />
    </Dialog>
  );
}

function ProductFile({ onDone }: { onDone: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const dryRun = useImportProducts({ isDryRun: true });
  const importing = useImportProducts({ isDryRun: false });
  const report = importing.data ?? dryRun.data;
  const failure = importing.error ?? dryRun.error;
  const changes = report ? report.added + report.changed : 0;

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = target.files?.[0];
    // The same file can be chosen again after it was corrected.
    target.value = '';
    if (!chosen) return;
    setFile(chosen);
    importing.reset();
    dryRun.mutate(chosen);
  }

  return (
    <>
      <section aria-labelledby="export-title" className="mt-5">
        <h3 id="export-title" className="font-semibold">
          Export
        </h3>
        <p className="mt-1 text-ink-soft">
          All products, also hidden ones. Change the file in a spreadsheet and import it again.
        </p>
        <p className="mt-3 flex flex-wrap gap-3">
          <a href="/api/admin/products/export.csv" download className={buttonClass('secondary', 'sm')}>
            All columns
          </a>
          <a href="/api/admin/products/export.csv?format=shopify" download className={buttonClass('secondary', 'sm')}>
            For Shopify
          </a>
        </p>
      </section>
      <section aria-labelledby="import-title" className="mt-7 border-t border-line pt-6">
        <h3 id="import-title" className="font-semibold">
          Import
        </h3>
        <p className="mt-1 text-ink-soft">
          Our file or Shopify’s. A missing column leaves its values as they are. You see every change before anything is
          saved.
        </p>
        <FileField name={file?.name} busy={dryRun.isPending} onChange={choose} />
        {failure && <Alert className="mt-4">{failure.message}</Alert>}
        {report && <ImportReport report={report} />}
      </section>
      <DialogActions>
        <Button variant="ghost" onClick={onDone}>
          Close
        </Button>
        {report && !report.applied && (
          <Button
            busy={importing.isPending}
            disabled={dryRun.isPending || changes === 0 || report.invalid > 0}
            onClick={() => file && importing.mutate(file, { onSuccess: ({ applied }) => applied && onDone() })}
          >
            {changes === 0 ? 'Nothing to import' : `Import ${plural(changes, 'product')}`}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

type FileFieldProps = {
  name: string | undefined;
  busy: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
};

function FileField({ name, busy, onChange }: FileFieldProps) {
  const id = useId();
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <label
        htmlFor={id}
        className={buttonClass(
          'secondary',
          'sm',
          'cursor-pointer focus-within:outline-2 focus-within:outline-offset-2',
        )}
      >
        {name ? 'Choose another file' : 'Choose a file'}
        <input id={id} type="file" accept=".csv,.tsv,.txt,text/csv" className="sr-only" onChange={onChange} />
      </label>
      {name && <span className="min-w-0 truncate text-ink-soft">{name}</span>}
      {busy && (
        <span role="status" className="flex items-center gap-2 text-ink-soft">
          <Spinner className="size-5" />
          Reading the file...
        </span>
      )}
    </p>
  );
}
