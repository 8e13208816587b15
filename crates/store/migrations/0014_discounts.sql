-- Discount codes. An order holds a use of its code while it waits for its payment, has used it when it is paid, and
-- releases it when it ends unpaid or is cancelled. The uses are counted from the orders, so no counter can differ.

create table discounts (
    id text primary key,
    code text not null unique,                 -- capital letters, digits and dashes
    kind text not null check (kind in ('percent', 'amount')),
    value bigint not null check (value > 0),   -- hundredths of a per cent, or paise
    categories text not null,                  -- as JSON; for the whole order if there are no products either
    products text not null,                    -- ids, as JSON
    min_total bigint not null check (min_total >= 0),
    first_order_only boolean not null,
    once_per_customer boolean not null,
    max_uses bigint check (max_uses > 0),
    starts_at bigint,
    ends_at bigint,                            -- the first millisecond after its time
    active boolean not null,
    created_at bigint not null,
    updated_at bigint not null
);
create index discounts_listed on discounts (created_at, id);

-- The code that a customer has entered in the cart.
alter table users add column cart_discount_id text references discounts (id);

-- The code as it was when the order was placed, and what it saved. The total is after it.
alter table orders add column discount_id text references discounts (id);
alter table orders add column discount_code text;
alter table orders add column discount_amount bigint not null default 0;
-- The orders that count as uses, with all columns that counting takes.
create index orders_discount_uses on orders (discount_id, user_id, payment_status, order_status)
    where discount_id is not null and payment_status <> 'failed' and order_status <> 'cancelled';

-- The line's share of the order's discount. The line's total is after it.
alter table order_lines add column discount bigint not null default 0 check (discount >= 0);
