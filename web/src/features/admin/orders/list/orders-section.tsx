// The orders section: views, filters, a table of ten orders a page, CSV export.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorMessage } from '~/api/error';
import type { Order } from '~/api/types';
import { plural } from '~/lib/format';
import { Button, ButtonLink, buttonClass } from '~/ui/button';
import { Alert } from '~/ui/feedback/alert';
import { ErrorState } from '~/ui/feedback/error-state';
import { toast } from '~/ui/feedback/toast';
import { Table } from '~/ui/table';
import { AdminIcon } from '../../console/admin-icon';
import { AdminSection, SectionLoading } from '../../console/admin-section';
import { moveBetweenRows } from '../../console/keyboard';
import { PageSize } from '../../console/page-size';
import { Pagination } from '../../console/pagination';
import { useIsTablet } from '../../console/screen-width';
import { adminPath, type UrlValues, useAdminUrl } from '../../console/url-state';
import { DeleteOrder } from '../details/delete-order';
import { OrderIssues } from '../issues/order-issues';
import { ordersQuery } from '../order-queries';
import { OrderPage } from '../page/order-page';
import { BulkUpdate } from './bulk-update';
import { OrderCards } from './order-cards';
import {
  exportPath,
  isFiltered,
  type OrderFilter,
  orderFilter,
  orderFilterNow,
  ordersUrl,
  PAGE_SIZES,
} from './order-filter';
import { OrderFilters } from './order-filters';
import { type OrderListProps, OrderRow } from './order-row';
import { ReservedStockPanel } from './reserved-stock-panel';
import { SavedViews } from './saved-views';
import { MAX_SELECTED, SelectMatching } from './select-matching';

const COLUMNS = [
  'Order ID',
  'User ID',
  'Total Amount',
  'Status',
  'Payment',
  'Created At',
  'Details',
  'Update Status',
  'Delete',
];

const DELETED_COLUMNS = [...COLUMNS.slice(0, -2), 'Deleted At', 'Restore'];

export function OrdersSection() {
  const { query } = useAdminUrl();
  const id = query.get('order');
  return id ? <OrderPage key={id} id={id} /> : <OrdersList />;
}

function OrdersList() {
  const { query, go } = useAdminUrl();
  const filter = orderFilter(query);
  const { page, limit } = ordersUrl.read(query);
  const list = useQuery(ordersQuery(filter, page, Number(limit)));
  const [shown, setShown] = useState<string[]>([]);
  const orders = list.data?.orders ?? [];
  const pages = Math.max(1, list.data?.pages ?? 1);

  // A chosen size of the page stays while the filter changes.
  const size = ordersUrl.write({ limit });
  const narrow = (change: UrlValues) => go({ ...size, ...orderFilterNow(), ...change }, { replace: true });
  const toPage = (next: number, how?: { replace?: boolean }) =>
    go(ordersUrl.write({ ...orderFilterNow(), limit, page: next }), how);

  // The last row of the last page was deleted, or the URL names a page that does not exist.
  const isBeyond = list.isSuccess && !list.isPlaceholderData && page > pages;
  const goBack = useEffectEvent(() => toPage(pages, { replace: true }));
  useEffect(() => {
    if (isBeyond) goBack();
  }, [isBeyond]);

  const toggle = (id: string) =>
    setShown((ids) => (ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]));

  return (
    <AdminSection
      title={filter.deleted ? 'Deleted orders' : 'Orders'}
      count={list.data && plural(list.data.total, 'order')}
      actions={
        <>
          <ButtonLink size="sm" to={adminPath('pack-and-ship')}>
            <AdminIcon name="pack-and-ship" />
            Pack and ship
          </ButtonLink>
          <ExportLink filter={filter} empty={orders.length === 0} />
        </>
      }
    >
      <OrderIssues onOrder={(orderId, isDeleted) => go({ orderId, deleted: isDeleted ? 'true' : undefined })} />
      <ReservedStockPanel onOrder={(orderId) => go({ orderId })} />
      <SavedViews filter={filter} />
      <OrderFilters filter={filter} onChange={narrow} onReset={() => go(size)} />
      <div className="mt-5 max-md:mt-3">
        {list.isPending ? (
          <SectionLoading text="Loading orders..." />
        ) : list.isError && !list.data ? (
          <ErrorState
            message={errorMessage(list.error, 'Failed to fetch orders')}
            onRetry={() => void list.refetch()}
          />
        ) : orders.length === 0 ? (
          <NoOrders filtered={isFiltered(filter)} onReset={() => go(size)} />
        ) : (
          <div aria-busy={list.isPlaceholderData} className={list.isPlaceholderData ? 'opacity-60 transition' : ''}>
            {list.isError && <Alert className="mb-3">{errorMessage(list.error, 'Failed to fetch orders')}</Alert>}
            <OrderList
              key={JSON.stringify(filter)}
              filter={filter}
              total={list.data?.total ?? 0}
              orders={orders}
              shown={shown}
              onToggle={toggle}
            />
            <Pagination label="Pages of orders" page={Math.min(page, pages)} pages={pages} onPage={toPage} />
            <PageSize
              label="Orders per page"
              sizes={PAGE_SIZES}
              size={limit}
              onChange={(next) => go(ordersUrl.write({ ...orderFilterNow(), limit: next }))}
            />
          </div>
        )}
      </div>
    </AdminSection>
  );
}

type ListProps = Pick<OrderListProps, 'orders' | 'shown' | 'onToggle'> & { filter: OrderFilter; total: number };

/** Mounted for each filter anew. */
function OrderList({ filter, total, orders, ...details }: ListProps) {
  const client = useQueryClient();
  const [deleting, setDeleting] = useState<Order | null>(null);
  const [marked, setMarked] = useState<string[]>([]);
  const [isEverything, setEverything] = useState(false);
  const everything = useQuery({ ...ordersQuery(filter, 1, MAX_SELECTED), enabled: isEverything });
  // Only orders that are shown, unless all that match were chosen: an order on another page must not change unseen.
  const others = isEverything ? (everything.data?.orders ?? []) : [];
  const isShown = new Set(orders.map(({ _id }) => _id));
  const known = [...orders, ...others.filter(({ _id }) => !isShown.has(_id))];
  const selectedOrders = known.filter(({ _id }) => marked.includes(_id));
  const selectEverything = async () => {
    setEverything(true);
    try {
      const all = await client.fetchQuery(ordersQuery(filter, 1, MAX_SELECTED));
      setMarked(all.orders.map(({ _id }) => _id));
    } catch (error) {
      setEverything(false);
      toast.error(errorMessage(error, 'Failed to fetch orders'));
    }
  };
  const selected = selectedOrders.map(({ _id }) => _id);
  const list = { orders, ...details, selected, onSelect: setMarked, onDelete: setDeleting };
  return (
    <>
      <SelectMatching
        shown={orders.length}
        total={filter.deleted ? 0 : total}
        selected={selected.length}
        busy={isEverything && everything.isFetching}
        onSelectAll={() => void selectEverything()}
      />
      {useIsTablet() ? <OrderCards {...list} /> : <OrdersTable {...list} />}
      <BulkUpdate orders={selectedOrders} onSelect={setMarked} />
      <DeleteOrder order={deleting} orders={orders} onClose={() => setDeleting(null)} />
    </>
  );
}

function OrdersTable({ orders, shown, selected, onSelect, ...actions }: OrderListProps) {
  const ids = orders.map((order) => order._id);
  const isDeletedList = orders.every(({ deletedAt }) => deletedAt);
  const columns = isDeletedList ? DELETED_COLUMNS : COLUMNS;
  const selectAll = (
    <span className="flex items-center gap-2.5">
      <label className="-m-2 grid size-9 cursor-pointer place-items-center">
        <input
          type="checkbox"
          aria-label="Select all orders of this page"
          checked={ids.every((id) => selected.includes(id))}
          onChange={() => onSelect(ids.every((id) => selected.includes(id)) ? [] : ids)}
          className="size-6 accent-chilli-fill"
        />
      </label>
      {COLUMNS[0]}
    </span>
  );
  return (
    <Table
      caption="List of orders"
      head={isDeletedList ? columns : [selectAll, ...columns.slice(1)]}
      dense
      onKeyDown={moveBetweenRows}
    >
      {orders.map((order, at) => (
        <OrderRow
          key={order._id}
          order={order}
          columns={columns.length}
          open={shown.includes(order._id)}
          isFirst={at === 0}
          selected={selected}
          onSelect={onSelect}
          {...actions}
        />
      ))}
    </Table>
  );
}

function ExportLink({ filter, empty }: { filter: OrderFilter; empty: boolean }) {
  const label = (
    <>
      <AdminIcon name="download" />
      Export CSV
    </>
  );
  if (empty) {
    return (
      <Button variant="secondary" size="sm" className="ml-auto" disabled>
        {label}
      </Button>
    );
  }
  return (
    <div className="ml-auto flex flex-wrap gap-2">
      <a
        href={exportPath(filter, 'all')}
        download
        title="With discount, refunds, time of payment and invoice number"
        className={buttonClass('ghost', 'sm')}
      >
        All columns<span className="sr-only"> as CSV</span>
      </a>
      <a href={exportPath(filter)} download className={buttonClass('secondary', 'sm')}>
        {label}
      </a>
    </div>
  );
}

function NoOrders({ filtered, onReset }: { filtered: boolean; onReset: () => void }) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong bg-surface px-6 py-16 text-center">
      <p role="status" className="text-lg">
        No orders found.
      </p>
      {filtered && (
        <Button variant="ghost" className="mt-3" onClick={onReset}>
          Show all orders
        </Button>
      )}
    </div>
  );
}
