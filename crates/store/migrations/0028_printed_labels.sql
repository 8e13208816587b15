-- Labels that were printed, so that those that were not can be chosen together.

-- When the label was first handed out in a file. Null: not since it was fetched, or by an earlier version.
alter table shipments add column label_printed_at bigint;

create index shipments_to_print on shipments (order_id)
    where status in ('preparing', 'ready') and label_printed_at is null;
