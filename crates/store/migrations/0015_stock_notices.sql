-- Requests for an email when a sold-out product can be bought again.

create table stock_notices (
    id text primary key,
    product_id text not null,
    email text not null,                       -- in lower case
    stop_token text not null,                  -- derived from the email; part of the link that stops these emails
    requested_at bigint not null,
    notified_at bigint,                        -- null: waits. Its email has the id '{id}-{notified_at}'
    unique (product_id, email)
);
create index stock_notices_waiting on stock_notices (product_id, requested_at, id) where notified_at is null;
create index stock_notices_notified on stock_notices (product_id, notified_at) where notified_at is not null;
create index stock_notices_email on stock_notices (email);
create index stock_notices_stop_token on stock_notices (stop_token);

-- Who wants none of these emails. The address itself is not stored.
create table stock_notice_stops (
    stop_token text primary key,
    at bigint not null
);

create index mails_back_in_stock on mails (created_at) where kind = 'back in stock';
