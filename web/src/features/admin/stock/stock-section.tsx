// The stock section: what can be sold, what orders hold, how long it lasts; counting, receiving, writing off; batches, if the
// shop has any.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { ProductStock } from '~/api/types';
import { plural } from '~/lib/format';
import { anyText, keyOf, urlFilter } from '~/lib/router/url-filter';
import { Button } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { ChoiceFilter } from '../console/choice-filter';
import { useAdminUrl } from '../console/url-state';
import { BatchList } from './batch-list';
import { LedgerSheet } from './ledger-sheet';
import { MovementDialog } from './movement-dialog';
import type { MovementKind } from './movement-draft';
import { StockList } from './stock-list';
import { batchesQuery, stockQuery } from './stock-queries';
import { byNeed, isToWriteOff } from './stock-words';

type View = 'all' | 'low' | 'batches' | 'old';
const LABELS: Record<View, string> = { all: 'All', low: 'Running out', batches: 'Batches', old: 'Too old' };
const stockUrl = urlFilter({ show: keyOf(LABELS, 'all'), product: anyText });

export function StockSection() {
  const { query, go } = useAdminUrl();
  const { data, error, isPending, isError, refetch } = useQuery(stockQuery);
  const { data: batches = [] } = useQuery(batchesQuery);
  const [moving, setMoving] = useState<{ kind: MovementKind; stock: ProductStock; batchId?: string } | null>(null);
  const products = data?.products ?? [];
  const low = products.filter(({ isLow }) => isLow);
  const hasBatches = batches.length > 0;
  const { show, product } = stockUrl.read(query);
  const isOfBatches = show === 'batches' || show === 'old';
  const view = isOfBatches && !hasBatches ? 'all' : show;
  const old = batches.filter(isToWriteOff);
  const shown = view === 'low' ? low : products;
  // A shop without batches does not see that there are any.
  const { batches: _, old: __, ...plain } = LABELS;
  return (
    <AdminSection title="Stock" count={data && plural(products.length, 'product')}>
      {isPending ? (
        <SectionLoading text="Loading the stock..." />
      ) : !data ? (
        <div className="mt-5">
          <ErrorState message={errorMessage(error, 'Failed to fetch the stock')} onRetry={() => void refetch()} />
        </div>
      ) : (
        <>
          {isError && <Alert className="mt-4">{errorMessage(error, 'Failed to fetch the stock')}</Alert>}
          <ChoiceFilter<View>
            labels={(hasBatches ? LABELS : plain) as Record<View, string>}
            chosen={view}
            counts={{ low: low.length, old: old.length }}
            onChange={(next) => go(stockUrl.write({ show: next }))}
          />
          <p className="mt-3 text-sm text-ink-soft">
            {view === 'batches'
              ? 'The newest first. Packing takes the batch that ends first.'
              : view === 'old'
                ? 'Too old to be sent: write off what is left.'
                : `By the sales of the last 14 days. A product that lasts less than ${plural(data.lowDays, 'day')} is running out.`}
          </p>
          <div className="mt-4">
            {view === 'old' && old.length === 0 ? (
              <Nothing text="No batch is too old." onReset={() => go({})} />
            ) : view === 'batches' || view === 'old' ? (
              <BatchList
                batches={view === 'old' ? old : batches}
                onWriteOff={({ _id: batchId, productId: id }) => {
                  const stock = products.find((each) => each.productId === id);
                  if (stock) setMoving({ kind: 'writeOff', stock, batchId });
                }}
              />
            ) : shown.length === 0 ? (
              <Nothing
                text={view === 'low' ? 'Nothing is running out.' : 'No products yet.'}
                onReset={view === 'low' ? () => go({}) : undefined}
              />
            ) : (
              <StockList
                products={view === 'low' ? [...shown].sort(byNeed) : shown}
                onMove={(kind, stock) => setMoving({ kind, stock })}
                onLedger={({ productId }) => go(stockUrl.write({ show: view, product: productId }))}
              />
            )}
          </div>
        </>
      )}
      <MovementDialog moving={moving} onClose={() => setMoving(null)} />
      <LedgerSheet
        stock={products.find(({ productId }) => productId === product)}
        onClose={() => go(stockUrl.write({ show: view }))}
      />
    </AdminSection>
  );
}

function Nothing({ text, onReset }: { text: string; onReset: (() => void) | undefined }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        {text}
      </p>
      {onReset && (
        <Button variant="ghost" className="mt-3" onClick={onReset}>
          Show all products
        </Button>
      )}
    </div>
  );
}
