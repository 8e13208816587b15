-- One schema for both engines: text, bigint and boolean only, moments as milliseconds since 1970,
-- money in paise. Everything is "not null" unless absence means something.

create table products (
    id text primary key,
    name text not null,
    about text not null,                       -- the description, as JSON
    stock_grams bigint not null constraint stock_grams_not_negative check (stock_grams >= 0),
    pouches_50g bigint not null constraint pouches_50g_not_negative check (pouches_50g >= 0),
    pouches_100g bigint not null constraint pouches_100g_not_negative check (pouches_100g >= 0),
    is_visible boolean not null,
    trending_rank bigint constraint trending_rank_one_to_ten check (trending_rank between 1 and 10),
    version bigint not null,
    position bigint not null,                  -- the order in which products came into the shop
    updated_at bigint not null,                -- when its owner last changed it
    touched_at bigint not null,                -- when anything of it last changed, stock included
    deleted_at bigint
);
create index products_touched_at on products (touched_at);
create unique index one_product_per_rank on products (trending_rank) where trending_rank is not null and deleted_at is null;

-- Every movement of stock, so that stock = the sum of its ledger.
create table stock_ledger (
    id text primary key,
    product_id text not null references products (id),
    reason text not null,
    order_id text,
    grams bigint not null,
    pouches_50g bigint not null,
    pouches_100g bigint not null,
    at bigint not null
);
create index stock_ledger_product on stock_ledger (product_id, at);

create table users (
    id text primary key,
    issuer text not null,
    subject text not null,
    email text not null,
    name text not null,
    phone text,
    date_of_birth text,
    gender text,
    photo text,
    profile_picture text,
    role text not null constraint role_known check (role in ('customer', 'admin')),
    cart_version bigint not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint
);
create unique index one_user_per_identity on users (issuer, subject) where deleted_at is null;
create index users_email on users (email);

create table sessions (
    token_hash text primary key,
    user_id text not null references users (id),
    created_at bigint not null,
    expires_at bigint not null
);
create index sessions_user on sessions (user_id);
create index sessions_expires_at on sessions (expires_at);

create table sign_in_attempts (
    state_hash text primary key,
    browser_hash text not null,
    nonce text not null,
    pkce_verifier text not null,
    return_to text not null,
    wanted_product text,
    wanted_50g bigint not null,
    wanted_100g bigint not null,
    expires_at bigint not null
);
create index sign_in_attempts_expires_at on sign_in_attempts (expires_at);

create table cart_lines (
    user_id text not null references users (id),
    product_id text not null references products (id),
    qty_50g bigint not null check (qty_50g >= 0),
    qty_100g bigint not null check (qty_100g >= 0),
    seen_price_50g bigint,                     -- paise; null where that size has no price
    seen_price_100g bigint,
    added_at bigint not null,
    primary key (user_id, product_id)
);

create table wishes (
    user_id text not null references users (id),
    product_id text not null references products (id),
    added_at bigint not null,
    primary key (user_id, product_id)
);

create table addresses (
    id text primary key,
    user_id text not null references users (id),
    address_name text not null,
    name text not null,
    phone text not null,
    line1 text not null,
    line2 text not null,
    city text not null,
    state text not null,
    pincode text not null,
    is_default boolean not null,
    created_at bigint not null,
    updated_at bigint not null,
    deleted_at bigint
);
create index addresses_user on addresses (user_id, created_at);
create unique index one_default_address on addresses (user_id) where is_default and deleted_at is null;

create table contact_queries (
    id text primary key,
    name text not null,
    email text not null,
    message text not null,
    at bigint not null
);
