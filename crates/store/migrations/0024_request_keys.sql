-- Requests with an idempotency key, and what stays of customers who deleted their account.

-- Requests of admins that must have their effect once. Those of a checkout are in `idempotency_keys`.
create table request_keys (
    scope text not null,                       -- what the key is unique for: a product's stock, an order's refunds, imports
    key text not null,
    fingerprint text not null,                 -- a hash of the request
    response text,                             -- the first response, as JSON, where it cannot be read from other tables
    created_at bigint not null,
    primary key (scope, key)
);
create index request_keys_created_at on request_keys (created_at);

-- A keyed hash of the email address. A version of the server that does not know it leaves it empty until the next sign-in.
alter table users add column email_hash text;

-- Erased customers who had ordered, only so that a new account with the same address gets no code for a first order, and
-- no code twice that a customer can use once. There is no link to the erased account or its orders.
create table past_discount_uses (
    email_hash text not null,
    discount_id text not null,                 -- empty: has ordered, with or without a code
    primary key (email_hash, discount_id)
);

-- Emails that were waiting when their customer was erased, and what was said about them.
delete from mails where order_id in (select o.id from orders o join users u on u.id = o.user_id
    where u.deleted_at is not null and u.email = '');
update concerns set detail = 'The customer has deleted the account.' where kind = 'mail not sent'
    and order_id in (select o.id from orders o join users u on u.id = o.user_id where u.deleted_at is not null and u.email = '');
