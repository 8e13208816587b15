-- Batches, for shops that want to know which customers got which one. Without rows here nothing else changes.

create table batches (
    id text primary key,
    product_id text not null references products (id),
    number text not null,
    made_on bigint,                            -- days in India since 1970
    best_before bigint not null,
    received_grams bigint not null check (received_grams > 0),
    left_grams bigint not null check (left_grams >= 0),
    created_by text not null,                  -- an admin's email
    created_at bigint not null,
    unique (product_id, number)
);
create index batches_left on batches (product_id, best_before, number) where left_grams > 0;

-- The packs of an order that were filled from a batch. Packs that came back into stock are counted in `returned`.
create table batch_packs (
    order_id text not null references orders (id),
    product_id text not null,
    batch_id text not null references batches (id),
    pack_grams bigint not null check (pack_grams in (50, 100)),
    quantity bigint not null check (quantity > 0),
    returned bigint not null default 0 check (returned between 0 and quantity),
    packed_at bigint not null,
    primary key (order_id, product_id, batch_id, pack_grams)
);
create index batch_packs_batch on batch_packs (batch_id, packed_at);

-- A batch has what its ledger rows add up to, less its packs.
alter table stock_ledger add column batch_id text;
create index stock_ledger_batch on stock_ledger (batch_id) where batch_id is not null;
