-- What staff write down about an order. Notes are only added.

create table order_notes (
    id text primary key,
    order_id text not null references orders (id),
    at bigint not null,
    author text not null,                      -- an admin's email
    body text not null
);
create index order_notes_order on order_notes (order_id, at, id);
