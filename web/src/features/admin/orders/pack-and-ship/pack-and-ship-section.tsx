// The packing table: all paid orders that wait, oldest first, and one button that packs them, books their parcels and makes one
// file of everything that is printed for them.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { OrderToPackAndShip, WaitingOrders } from '~/api/types';
import { formatAmount, plural } from '~/lib/format';
import { Button, ButtonLink } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { AdminSection, SectionLoading } from '../../console/admin-section';
import { adminPath } from '../../console/url-state';
import { whyStay } from '../leaving/leaving';
import { LeavingQuestion } from '../leaving/leaving-question';
import { usePackAndShip, waitingOrdersQuery } from './queries';
import { outcomeOf, type Run } from './run';
import { RunPanel } from './run-panel';
import { useParcelCosts } from './use-parcel-costs';
import { WaitingOrder } from './waiting-order';

const FAILED = 'Failed to fetch the orders to pack';

export function PackAndShipSection() {
  const list = useQuery(waitingOrdersQuery);
  const total = list.data?.total ?? 0;
  const shown = list.data?.orders.length ?? 0;
  return (
    <AdminSection
      title="Pack and ship"
      count={list.data && `${plural(total, 'order')}${total > shown ? `, the oldest ${shown} are shown` : ''}`}
    >
      {list.isPending ? (
        <SectionLoading text="Loading the orders to pack..." />
      ) : !list.data ? (
        <div className="mt-5">
          <ErrorState message={errorMessage(list.error, FAILED)} onRetry={() => void list.refetch()} />
        </div>
      ) : (
        <div className="mt-4 space-y-4">
          {list.isError && <Alert>{errorMessage(list.error, FAILED)}</Alert>}
          <PackingTable {...list.data} />
        </div>
      )}
    </AdminSection>
  );
}

function PackingTable({ orders: rows, hasPartner }: WaitingOrders) {
  // All are chosen but those that were taken out: the usual case is to send everything.
  const [takenOut, setTakenOut] = useState<ReadonlySet<string>>(new Set());
  const [run, setRun] = useState<Run>();
  const [isAsking, setAsking] = useState(false);
  const press = usePackAndShip();
  const { costs, asking, watched } = useParcelCosts(rows, hasPartner);
  const chosen = rows.filter(({ order }) => !takenOut.has(order._id));
  const toAsk = chosen.filter(({ stage }) => stage === 'pack').map(({ order }) => order);
  const refunded = toAsk.filter((order) => whyStay(order) !== null);
  const outcome = run && outcomeOf(run, rows);
  const explained = new Set(outcome?.leftOut.map(({ orderId }) => orderId));

  const toggle = (id: string) =>
    setTakenOut((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const start = (pressed: OrderToPackAndShip[], evenIfRefunded?: boolean) =>
    press.mutate(
      { rows: pressed, evenIfRefunded },
      { onSuccess: ({ done, refused }) => setRun({ orders: done, refused }) },
    );
  const retry = (row: OrderToPackAndShip) =>
    press.mutate(
      { rows: [row] },
      {
        // The other orders of the run stay in the file.
        onSuccess: ({ done, refused }) =>
          setRun((before) => ({
            orders: [...new Set([...(before?.orders ?? []), ...done])].filter(
              (id) => !refused.some(({ orderId }) => orderId === id),
            ),
            refused: [...(before?.refused ?? []), ...refused],
          })),
      },
    );

  const allOut = takenOut.size > 0 && chosen.length === 0;
  return (
    <>
      {outcome && <RunPanel outcome={outcome} hasPartner={hasPartner} isBusy={press.isPending} onRetry={retry} />}
      {rows.length === 0 ? (
        <NothingToPack />
      ) : (
        <>
          <Button
            variant="ghost"
            size="sm"
            className="-ml-4"
            onClick={() => setTakenOut(allOut ? new Set() : new Set(rows.map(({ order }) => order._id)))}
          >
            {allOut ? 'Select all' : 'Select none'}
          </Button>
          <ol aria-label="Orders to pack and ship" className="grid gap-2.5">
            {rows.map((row, index) => {
              const id = row.order._id;
              return (
                <WaitingOrder
                  key={id}
                  row={row}
                  isChosen={!takenOut.has(id)}
                  onToggle={() => toggle(id)}
                  hasPartner={hasPartner}
                  cost={costs.get(id)}
                  isAsking={asking.has(id)}
                  warning={explained.has(id) ? undefined : (row.error ?? row.problem ?? undefined)}
                  watched={watched(index)}
                />
              );
            })}
          </ol>
          <section
            aria-label="Selected orders"
            className="sticky bottom-2 z-10 flex flex-wrap items-center gap-x-5 gap-y-2 rounded-lg border border-line-strong bg-raised px-4 py-2.5 shadow-lift max-md:bottom-20"
          >
            <p role="status" className="font-semibold tabular-nums">
              {plural(chosen.length, 'order')} selected
              {hasPartner && <TotalCost costs={chosen.map(({ order }) => costs.get(order._id)?.cost ?? null)} />}
            </p>
            <Button
              className="ml-auto max-sm:w-full"
              busy={press.isPending}
              disabled={chosen.length === 0}
              onClick={() => (refunded.length > 0 ? setAsking(true) : start(chosen))}
            >
              {hasPartner ? 'Pack, ship and print' : 'Pack and print'}
            </Button>
          </section>
        </>
      )}
      <LeavingQuestion
        open={isAsking}
        orders={refunded}
        action={hasPartner ? 'Pack, ship and print' : 'Pack and print'}
        onConfirm={({ evenIfRefunded }) => start(chosen, evenIfRefunded)}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

/** Of the parcels whose cost is known. */
function TotalCost({ costs }: { costs: (number | null)[] }) {
  const known = costs.filter((cost) => cost !== null);
  if (known.length === 0) return null;
  const sum = known.reduce((total, cost) => total + cost, 0);
  const rest = costs.length - known.length;
  return (
    <span className="block text-sm font-normal text-ink-soft">
      Courier {formatAmount(sum)}
      {rest > 0 && ` and ${rest} not known`}
    </span>
  );
}

function NothingToPack() {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        Nothing to pack.
      </p>
      <p className="mt-1 mb-4 text-ink-soft">Paid orders appear here until their labels are printed.</p>
      <ButtonLink variant="secondary" to={adminPath('shipments')}>
        Parcels and their labels
      </ButtonLink>
    </div>
  );
}
