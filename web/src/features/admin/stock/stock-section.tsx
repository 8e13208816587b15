// The stock section: what can be sold, what orders hold, how long it lasts; counting, receiving, writing off; batches, if the
// shop has any.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { ProductStock } from '~/api/types';
import { plural } from '~/lib/format';
import { parseQuery } from '~/lib/router/query-string';
import { anyText, keyOf, urlFilter } from '~/lib/router/url-filter';
import { useUrlText } from '~/lib/router/url-text';
import { Button } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { Field, Select } from '~/ui/forms/field';
import { Icon } from '~/ui/graphics/more-icons';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { ChoiceFilter } from '../console/choice-filter';
import { useAdminUrl } from '../console/url-state';
import { BatchList } from './batch-list';
import { DeliveryDialog } from './delivery/delivery-dialog';
import { LedgerSheet } from './ledger-sheet';
import { MovementDialog } from './movement-dialog';
import type { MovementKind } from './movement-draft';
import { StockList } from './stock-list';
import { batchesQuery, stockQuery } from './stock-queries';
import { byLasting, byNeed, isToWriteOff } from './stock-words';

type View = 'all' | 'low' | 'batches' | 'old';
const LABELS: Record<View, string> = { all: 'All', low: 'Running out', batches: 'Batches', old: 'Too old' };
const SORTS = { catalogue: 'Catalogue', lasts: 'Lasts, shortest first' };
const stockUrl = urlFilter({
  show: keyOf(LABELS, 'all'),
  product: anyText,
  search: anyText,
  sort: keyOf(SORTS, 'catalogue'),
});

export function StockSection() {
  const { query, go } = useAdminUrl();
  const { data, error, isPending, isError, refetch } = useQuery(stockQuery);
  const { data: batches = [] } = useQuery(batchesQuery);
  const [moving, setMoving] = useState<{ kind: MovementKind; stock: ProductStock; batchId?: string } | null>(null);
  const products = data?.products ?? [];
  const low = products.filter(({ isLow }) => isLow);
  const hasBatches = batches.length > 0;
  const now = stockUrl.read(query);
  const { show, product, search, sort } = now;
  const [isDelivery, setDelivery] = useState(false);
  const typed = useUrlText(
    search,
    () => stockUrl.read(parseQuery(window.location.search)).search,
    (text) => go(stockUrl.write({ ...now, search: text }), { replace: true }),
  );
  const isOfBatches = show === 'batches' || show === 'old';
  const view = isOfBatches && !hasBatches ? 'all' : show;
  const old = batches.filter(isToWriteOff);
  const isFound = ({ productName }: { productName: string }) =>
    productName.toLowerCase().includes(search.toLowerCase());
  const shown = (view === 'low' ? [...low].sort(byNeed) : products).filter(isFound);
  if (sort === 'lasts') shown.sort(byLasting);
  // A shop without batches does not see that there are any.
  const { batches: _, old: __, ...plain } = LABELS;
  return (
    <AdminSection
      title="Stock"
      count={data && plural(products.length, 'product')}
      actions={
        products.length > 0 && (
          <Button size="sm" className="ml-auto" onClick={() => setDelivery(true)}>
            <Icon name="truck" className="size-5" />
            Receive a delivery
          </Button>
        )
      }
    >
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
            onChange={(next) => go(stockUrl.write({ ...now, product: '', show: next }))}
          />
          <div className="mt-3 grid max-w-2xl grid-cols-2 gap-3">
            <Field label="Search" data-admin-search type="search" placeholder="Name" autoComplete="off" {...typed} />
            {!isOfBatches && (
              <Select
                label="Sort by"
                value={sort}
                onChange={(event) => go(stockUrl.write({ ...now, sort: event.target.value as keyof typeof SORTS }))}
              >
                {Object.entries(SORTS).map(([key, label]) => (
                  <option key={key} value={key}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </div>
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
                batches={(view === 'old' ? old : batches).filter(isFound)}
                onWriteOff={({ _id: batchId, productId: id }) => {
                  const stock = products.find((each) => each.productId === id);
                  if (stock) setMoving({ kind: 'writeOff', stock, batchId });
                }}
              />
            ) : shown.length === 0 ? (
              <Nothing
                text={
                  search ? 'No product has this name.' : view === 'low' ? 'Nothing is running out.' : 'No products yet.'
                }
                onReset={search || view === 'low' ? () => go({}) : undefined}
              />
            ) : (
              <StockList
                products={shown}
                onMove={(kind, stock) => setMoving({ kind, stock })}
                onLedger={({ productId }) => go(stockUrl.write({ ...now, product: productId }))}
              />
            )}
          </div>
        </>
      )}
      <DeliveryDialog products={products} open={isDelivery} onClose={() => setDelivery(false)} />
      <MovementDialog moving={moving} onClose={() => setMoving(null)} />
      <LedgerSheet
        stock={products.find(({ productId }) => productId === product)}
        onClose={() => go(stockUrl.write({ ...now, product: '' }))}
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
