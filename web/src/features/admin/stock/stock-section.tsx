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
import { byNeed } from './stock-words';

type View = 'all' | 'low' | 'batches';
const LABELS: Record<View, string> = { all: 'All', low: 'Running out', batches: 'Batches' };
const stockUrl = urlFilter({ show: keyOf(LABELS, 'all'), product: anyText });

export function StockSection() {
  const { query, go } = useAdminUrl();
  const { data, error, isPending, isError, refetch } = useQuery(stockQuery);
  const { data: batches = [] } = useQuery(batchesQuery);
  const [moving, setMoving] = useState<{ kind: MovementKind; stock: ProductStock } | null>(null);
  const products = data?.products ?? [];
  const low = products.filter(({ isLow }) => isLow);
  const hasBatches = batches.length > 0;
  const { show, product } = stockUrl.read(query);
  const view = show === 'batches' && !hasBatches ? 'all' : show;
  const shown = view === 'low' ? low : products;
  // A shop without batches does not see that there are any.
  const { batches: _, ...plain } = LABELS;
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
            counts={{ low: low.length }}
            onChange={(next) => go(stockUrl.write({ show: next }))}
          />
          <p className="mt-3 text-sm text-ink-soft">
            {view === 'batches'
              ? 'The newest first. Packing takes the batch that ends first.'
              : `By the sales of the last 14 days. A product that lasts less than ${plural(data.lowDays, 'day')} is running out.`}
          </p>
          <div className="mt-4">
            {view === 'batches' ? (
              <BatchList batches={batches} />
            ) : shown.length === 0 ? (
              <Nothing isLow={view === 'low'} onReset={() => go({})} />
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

function Nothing({ isLow, onReset }: { isLow: boolean; onReset: () => void }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        {isLow ? 'Nothing is running out.' : 'No products yet.'}
      </p>
      {isLow && (
        <Button variant="ghost" className="mt-3" onClick={onReset}>
          Show all products
        </Button>
      )}
    </div>
  );
}
