// The shipments section: packed orders to ship, cost and time of the last month, and the parcels with their labels.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '~/api/error';
import type { Shipment, ShipmentPage, ShipmentSummary } from '~/api/types';
import { formatAmount, plural } from '~/lib/format';
import { shortId } from '~/shared/order/order-status';
import { Button, buttonClass } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { AdminIcon } from '../console/admin-icon';
import { AdminSection, SectionLoading } from '../console/admin-section';
import { ChoiceFilter } from '../console/choice-filter';
import { Pagination } from '../console/pagination';
import { toDoQuery } from '../console/to-do-query';
import { useAdminUrl } from '../console/url-state';
import { canPrint, GROUP_LABELS, labelsUrl, manifestUrl, type ShipmentGroup, shipmentsUrl } from './shipment-group';
import { ShipmentItem } from './shipment-item';
import { shipmentsQuery } from './shipment-queries';
import { ToShip } from './to-ship';

export function ShipmentsSection() {
  const { query, go } = useAdminUrl();
  const { group, page } = shipmentsUrl.read(query);
  const list = useQuery(shipmentsQuery(group, page));
  const { data: toDo } = useQuery(toDoQuery);
  const show = (next: ShipmentGroup, at = 1) => go(shipmentsUrl.write({ group: next, page: at }));
  return (
    <AdminSection title="Shipments" count={list.data && plural(list.data.total, 'parcel')}>
      {list.isPending ? (
        <SectionLoading text="Loading shipments..." />
      ) : !list.data ? (
        <div className="mt-5">
          <ErrorState
            message={errorMessage(list.error, 'Failed to fetch shipments')}
            onRetry={() => void list.refetch()}
          />
        </div>
      ) : (
        <div className="mt-4 space-y-5">
          {list.isError && <Alert>{errorMessage(list.error, 'Failed to fetch shipments')}</Alert>}
          {list.data.hasPartner ? <Summary summary={list.data.summary} /> : <NoPartner />}
          {list.data.hasPartner && list.data.toShip.length > 0 && (
            <ToShip orders={list.data.toShip} total={list.data.toShipTotal} />
          )}
          <ChoiceFilter
            labels={GROUP_LABELS}
            chosen={group}
            counts={{ attention: toDo?.parcels ?? list.data.attention, unscanned: toDo?.unscannedParcels }}
            onChange={(next) => show(next)}
          />
          <Parcels
            data={list.data}
            group={group}
            isStale={list.isPlaceholderData}
            onPage={(next) => show(group, next)}
            onReset={() => show('all')}
          />
        </div>
      )}
    </AdminSection>
  );
}

function Summary({ summary }: { summary: ShipmentSummary }) {
  const { delivered, returned, cost, averageDays } = summary;
  const facts: [string, string][] = [
    ['Delivered', String(delivered)],
    ['Returned or lost', String(returned)],
    ['Cost', formatAmount(cost)],
    ['On the way', averageDays === null ? '–' : `${averageDays} days`],
  ];
  return (
    <section aria-label="The last 30 days" className="rounded-lg border border-line bg-surface px-5 py-4 shadow-card">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="text-xl tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-ink-soft">Parcels that ended in the last 30 days</p>
    </section>
  );
}

function NoPartner() {
  return (
    <p className="rounded-lg border border-dashed border-line-strong bg-surface px-5 py-4">
      <b className="font-semibold">Delivery Partner Not Integrated.</b> Set the status of orders by hand, and type in
      tracking numbers in the details of an order.
    </p>
  );
}

type ParcelsProps = {
  data: ShipmentPage;
  group: ShipmentGroup;
  isStale: boolean;
  onPage: (page: number) => void;
  onReset: () => void;
};

function Parcels({ data, group, isStale, onPage, onReset }: ParcelsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { shipments, page, pages } = data;
  const printable = shipments.filter(canPrint);
  const unprinted = printable.filter(({ labelPrintedAt }) => labelPrintedAt === null);
  // Printed ones are printed again only if there is nothing else.
  const all = unprinted.length > 0 ? unprinted : printable;
  const selected = printable.filter(({ _id }) => chosen.has(_id));
  // Their label has gone since they were selected: the courier has them, or they were cancelled.
  const missing = shipments.filter((shipment) => chosen.has(shipment._id) && !canPrint(shipment));
  const toggle = (id: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  if (shipments.length === 0) {
    return (
      <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
        <p role="status" className="text-lg">
          {group === 'attention' ? 'Nothing to do: no parcel needs you.' : 'No parcels found.'}
        </p>
        {group === 'all' ? (
          <p className="mt-1 text-ink-soft">Pack orders in the orders section, then ship them here.</p>
        ) : (
          <Button variant="ghost" className="mt-3" onClick={onReset}>
            Show all parcels
          </Button>
        )}
      </div>
    );
  }
  return (
    <div aria-busy={isStale} className={isStale ? 'opacity-60 transition' : ''}>
      {printable.length > 0 && (
        <PrintBar
          all={all}
          printed={printable.length - unprinted.length}
          selected={selected}
          missing={missing}
          onAll={() => setChosen(new Set(isAll(all, selected) ? [] : all.map(({ _id }) => _id)))}
        />
      )}
      <ul aria-label="List of parcels" className="grid gap-3">
        {shipments.map((shipment) => (
          <li key={shipment._id}>
            <ShipmentItem
              shipment={shipment}
              isChosen={chosen.has(shipment._id)}
              onToggle={() => toggle(shipment._id)}
            />
          </li>
        ))}
      </ul>
      <Pagination label="Pages of parcels" page={Math.min(page, pages)} pages={pages} onPage={onPage} />
    </div>
  );
}

const isAll = (all: Shipment[], selected: Shipment[]) => all.every((each) => selected.includes(each));

/** `all` are those that are selected together, `printed` counts the others with a label. */
type PrintProps = { all: Shipment[]; printed: number; selected: Shipment[]; missing: Shipment[]; onAll: () => void };

/** The labels of the selected parcels in one file, and the list for the driver. */
function PrintBar({ all, printed, selected, missing, onAll }: PrintProps) {
  const ids = selected.map(({ _id }) => _id);
  // The partner makes the list once the pickup is requested.
  const withPickup = selected.filter(({ pickupAt }) => pickupAt !== null).map(({ _id }) => _id);
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Button variant="ghost" size="sm" onClick={onAll}>
        {isAll(all, selected) ? 'Select none' : `Select all with a label (${all.length})`}
      </Button>
      {printed > 0 && <p className="text-sm text-ink-soft">{plural(printed, 'label')} printed before</p>}
      {ids.length > 0 && (
        <a
          href={labelsUrl(ids)}
          target="_blank"
          rel="noopener"
          className={buttonClass('primary', 'sm', '!px-4 whitespace-nowrap')}
        >
          <AdminIcon name="download" />
          {plural(ids.length, 'label')}
          <span className="sr-only">(PDF, opens in a new tab)</span>
        </a>
      )}
      {withPickup.length > 0 && (
        <a
          href={manifestUrl(withPickup)}
          target="_blank"
          rel="noopener"
          className={buttonClass('secondary', 'sm', '!px-4 whitespace-nowrap')}
        >
          <AdminIcon name="download" />
          Manifest
          <span className="sr-only">(PDF, opens in a new tab)</span>
        </a>
      )}
      {missing.length > 0 && (
        <p role="status" className="w-full font-semibold text-chilli">
          Not in the file, because {missing.length === 1 ? 'its label is' : 'their labels are'} not there:{' '}
          {missing.map(({ orderId }) => `order ${shortId(orderId)}`).join(', ')}
        </p>
      )}
    </div>
  );
}
