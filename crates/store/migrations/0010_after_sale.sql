-- After the sale: several refunds of one payment, items that go back into stock, the history of orders, problems.

-- Without the unique constraint on merchant_order_id, which neither engine's common SQL can drop.
create table refunds_next (
    id text primary key,                       -- the refund's id at the gateway
    merchant_order_id text not null,           -- the payment attempt that is refunded
    order_id text not null references orders (id),
    amount bigint not null check (amount > 0),
    reason text not null,
    state text not null check (state in ('wanted', 'pending', 'completed', 'failed')),
    created_at bigint not null,
    updated_at bigint not null,
    next_look_at bigint not null,
    looks bigint not null,
    leased_until bigint not null,
    requested_by text not null,                -- an admin's email, 'customer' or 'system'
    retry_of text,                             -- the failed refund that this one repeats
    error text                                 -- why it failed
);
insert into refunds_next select id, merchant_order_id, order_id, amount, reason, state, created_at, updated_at, next_look_at, looks,
    leased_until, 'system', null, null from refunds;
drop table refunds;
alter table refunds_next rename to refunds;
create index refunds_due on refunds (next_look_at) where state in ('wanted', 'pending');
create index refunds_order on refunds (order_id);
create index refunds_attempt on refunds (merchant_order_id);
create unique index one_retry_per_refund on refunds (retry_of) where retry_of is not null;

-- The packs that a refund is for, with their share of the order's lines. A refund of a free amount has none.
create table refund_lines (
    refund_id text not null references refunds (id),
    product_id text not null,
    qty_50g bigint not null check (qty_50g >= 0),
    qty_100g bigint not null check (qty_100g >= 0),
    amount bigint not null check (amount >= 0),
    primary key (refund_id, product_id)
);

-- Packs of a paid order that went back into stock. The ledger has a row for each movement.
alter table order_lines add column restocked_50g bigint not null default 0;
alter table order_lines add column restocked_100g bigint not null default 0;

-- What the gateway has received. Null: not paid, or paid with a wrong amount before this column existed.
alter table payment_attempts add column received bigint;
update payment_attempts set received = amount where state = 'completed'
    and not exists (select 1 from concerns c where c.about = payment_attempts.merchant_order_id and c.kind = 'amount mismatch');

alter table orders add column delivered_at bigint;
update orders set delivered_at = updated_at where order_status = 'delivered';
alter table orders add column replaces_order_id text;

create table order_events (
    id text primary key,
    order_id text not null references orders (id),
    at bigint not null,
    kind text not null,
    actor text not null,                       -- an admin's email, 'customer' or 'system'
    detail text not null
);
create index order_events_order on order_events (order_id, at, id);
create index order_events_kind on order_events (kind, at);

create table order_problems (
    id text primary key,
    order_id text not null references orders (id),
    message text not null,
    lines text not null,                       -- the packs concerned, as JSON
    images text not null,                      -- names of files, as JSON
    state text not null check (state in ('open', 'replaced', 'refunded', 'declined')),
    response text not null,                    -- what the shop wrote to the customer
    created_at bigint not null,
    resolved_at bigint,
    resolved_by text,
    refund_id text,
    replacement_order_id text
);
create index order_problems_order on order_problems (order_id);
create unique index one_open_problem_per_order on order_problems (order_id) where state = 'open';
create index order_problems_listed on order_problems (state, created_at, id);
