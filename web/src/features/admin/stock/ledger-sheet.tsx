// The ledger of a product: every change of its stock, newest first.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { ProductStock, StockMovement } from '~/api/types';
import { formatDateTimeIst } from '~/lib/format';
import { Link } from '~/lib/router/router';
import { shortId } from '~/shared/order/order-status';
import { Spinner } from '~/ui/button';
import { Sheet } from '~/ui/dialog/dialog';
import { ErrorState } from '~/ui/feedback/error-state';
import { Pagination } from '../console/pagination';
import { adminPath } from '../console/url-state';
import { ledgerQuery } from './stock-queries';
import { changeText, reasonText } from './stock-words';

export function LedgerSheet({ stock, onClose }: { stock: ProductStock | undefined; onClose: () => void }) {
  return (
    <Sheet open={stock !== undefined} onClose={onClose} title={stock ? stock.productName : 'Ledger'}>
      {stock && <Ledger key={stock.productId} productId={stock.productId} />}
    </Sheet>
  );
}

function Ledger({ productId }: { productId: string }) {
  const [page, setPage] = useState(1);
  const ledger = useQuery(ledgerQuery(productId, page));
  if (ledger.isPending) {
    return (
      <p role="status" className="flex items-center justify-center gap-3 py-12 text-ink-soft">
        <Spinner className="size-5" />
        Loading the ledger...
      </p>
    );
  }
  if (!ledger.data) {
    return (
      <ErrorState
        message={errorMessage(ledger.error, 'Failed to fetch the ledger')}
        onRetry={() => void ledger.refetch()}
      />
    );
  }
  const { movements, pages } = ledger.data;
  return (
    <section aria-label="Ledger" aria-busy={ledger.isPlaceholderData}>
      <ol className="divide-y divide-line">
        {movements.map((movement) => (
          <Movement key={movement._id} movement={movement} />
        ))}
      </ol>
      {pages > 1 && (
        <Pagination label="Pages of the ledger" page={Math.min(page, pages)} pages={pages} onPage={setPage} />
      )}
    </section>
  );
}

function Movement({ movement }: { movement: StockMovement }) {
  const { change, note, by, batch, orderId, at } = movement;
  const isLess = change.grams < 0 || change.pouches50g < 0 || change.pouches100g < 0;
  return (
    <li className="py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <b className="font-semibold">{reasonText(movement)}</b>
        <span className={`font-semibold tabular-nums ${isLess ? 'text-chilli' : ''}`}>{changeText(change)}</span>
      </p>
      {(note || batch) && (
        <p className="[overflow-wrap:anywhere]">{[note, batch && `Batch ${batch}`].filter(Boolean).join(' · ')}</p>
      )}
      <p className="text-sm [overflow-wrap:anywhere] text-ink-soft tabular-nums">
        {formatDateTimeIst(at)}
        {by && ` · ${by}`}
        {orderId && (
          <>
            {' · '}
            <Link to={adminPath('orders', { orderId })} className="link">
              Order {shortId(orderId)}
            </Link>
          </>
        )}
      </p>
    </li>
  );
}
