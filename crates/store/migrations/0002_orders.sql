-- Orders, their payments, refunds, mails and what needs a person. What must not be lost is a row in the
-- same transaction as the change it belongs to.

create table orders (
    id text primary key,
    user_id text not null references users (id),
    merchant_order_id text not null,           -- of the newest attempt at paying it
    total bigint not null check (total >= 0),
    payment_status text not null check (payment_status in ('pending', 'completed', 'failed')),
    order_status text not null check (order_status in ('pending', 'confirmed', 'shipped', 'delivered', 'cancelled', 'N/A')),
    payment_error text,                        -- in words for the shopper
    paid_by text,                              -- the attempt that paid it
    holds_stock boolean not null,              -- whether its goods are out of stock for it now
    address text not null,                     -- a copy, as JSON
    expires_at bigint not null,                -- when a pending payment is given up
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint
);
create index orders_user on orders (user_id, created_at);
create index orders_created_at on orders (created_at, id);
create index orders_status on orders (order_status, created_at);
create index orders_pending on orders (user_id) where payment_status = 'pending';

create table order_lines (
    order_id text not null references orders (id),
    line bigint not null,
    product_id text not null,
    product_name text not null,
    image text not null,
    qty_50g bigint not null check (qty_50g >= 0),
    qty_100g bigint not null check (qty_100g >= 0),
    price_50g bigint,
    price_100g bigint,
    line_total bigint not null,
    primary key (order_id, line)
);

create table payment_attempts (
    merchant_order_id text primary key,
    order_id text not null references orders (id),
    amount bigint not null,
    state text not null check (state in ('opening', 'open', 'completed', 'failed')),
    redirect_url text,
    gateway_order_id text,
    mode text,
    transaction_id text,
    expires_at bigint not null,
    created_at bigint not null,
    looked_at bigint not null,                 -- when the gateway was last asked
    next_look_at bigint not null,
    leased_until bigint not null
);
create index payment_attempts_order on payment_attempts (order_id, created_at);
create index payment_attempts_due on payment_attempts (next_look_at) where state in ('opening', 'open');

create table idempotency_keys (
    user_id text not null references users (id),
    key text not null,
    body_hash text not null,
    order_id text not null references orders (id),
    created_at bigint not null,
    primary key (user_id, key)
);
create index idempotency_keys_order on idempotency_keys (order_id);

create table refunds (
    id text primary key,                       -- the refund's number at the gateway
    merchant_order_id text not null unique,    -- an attempt's money goes back once
    order_id text not null references orders (id),
    amount bigint not null,
    reason text not null,
    state text not null check (state in ('wanted', 'pending', 'completed', 'failed')),
    created_at bigint not null,
    updated_at bigint not null,
    next_look_at bigint not null,
    looks bigint not null,
    leased_until bigint not null
);
create index refunds_due on refunds (next_look_at) where state in ('wanted', 'pending');
create index refunds_order on refunds (order_id);

create table mails (
    id text primary key,
    order_id text,
    kind text not null,
    recipient text not null,
    subject text not null,
    text_body text not null,
    html_body text not null,
    created_at bigint not null,
    sent_at bigint,
    tries bigint not null,
    last_error text,
    next_try_at bigint not null,
    leased_until bigint not null
);
create index mails_due on mails (next_try_at) where sent_at is null;
create index mails_created_at on mails (created_at);

-- What a person must look at.
create table concerns (
    id text primary key,
    order_id text not null references orders (id),
    kind text not null,
    about text not null,                       -- the attempt, refund or mail; one concern for each
    detail text not null,
    created_at bigint not null,
    settled_at bigint
);
create unique index one_concern_each on concerns (kind, about);
create index concerns_open on concerns (created_at) where settled_at is null;
