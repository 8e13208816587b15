-- Another parcel instead of a lost one, and cancellations that the owner decides about.

-- Packs that were taken out of stock once more, for another parcel instead of one that was lost.
alter table order_lines add column resent_50g bigint not null default 0;
alter table order_lines add column resent_100g bigint not null default 0;

drop index one_parcel_per_order;
create unique index one_parcel_per_order on shipments (order_id) where status not in ('cancelled', 'returned', 'lost');

-- A customer asks to cancel an order that is packed or has a parcel.
create table cancellation_requests (
    id text primary key,
    order_id text not null references orders (id),
    requested_at bigint not null,
    decided_at bigint,
    decision text check (decision in ('accepted', 'declined', 'closed')),
    decided_by text,                           -- an admin's email, or 'system'
    message text not null default '',          -- what the shop wrote to the customer
    check ((decided_at is null) = (decision is null))
);
create index cancellation_requests_order on cancellation_requests (order_id, requested_at);
create unique index one_open_cancellation_request on cancellation_requests (order_id) where decided_at is null;
create index cancellation_requests_open on cancellation_requests (requested_at) where decided_at is null;

-- Whether the admin confirmed that packs were replaced or refunded before. Null: resolved before this column existed.
alter table order_problems add column repeated bigint;
