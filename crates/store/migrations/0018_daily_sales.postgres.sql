-- Sums of the paid orders by the day in India on which they were placed, for the overview. An order counts while it is
-- paid, not cancelled, not deleted and no replacement. The sums repeat what other tables say and are not in a backup.

-- Days whose orders or refunds have changed since their sums were stored. Triggers fill it, so that a version of the
-- server that does not know the sums cannot make them wrong. Each transaction has rows of its own: none waits for another
-- one, and the row of a transaction that is still open is not deleted with those of others.
create table sales_changes (
    day bigint not null,                       -- counted from 1970
    txid bigint not null,
    primary key (day, txid)
);

create table daily_sales (
    kind text not null check (kind in ('total', 'state', 'hour')),
    day bigint not null,
    key text not null,                         -- a state, an hour; empty for the total
    orders bigint not null,
    repeat_orders bigint not null,             -- of customers who have an earlier order
    packs_50g bigint not null,
    packs_100g bigint not null,
    sales bigint not null,                     -- what was paid
    discounts bigint not null,
    refunds bigint not null,
    -- The sums of each product, one line each, in the total. A row for each of them would make a long range slow to read.
    products text not null,
    primary key (kind, day, key)
);

insert into sales_changes (day, txid) select distinct (created_at + 19800000) / 86400000, 0 from orders where payment_status = 'completed';

-- An order can make later orders of its customer repeat orders.
create function mark_sales_of_order() returns trigger language plpgsql as $$
declare
    changed_at bigint := new.created_at;
begin
    if tg_op = 'UPDATE' then
        changed_at := least(old.created_at, new.created_at);
    end if;
    insert into sales_changes (day, txid) select (at + 19800000) / 86400000, txid_current() from
        (select changed_at as at union select new.created_at union select created_at from orders
        where user_id = new.user_id and created_at > changed_at and deleted_at is null) changed on conflict do nothing;
    return null;
end $$;
create function mark_sales_of_refund() returns trigger language plpgsql as $$
begin
    insert into sales_changes (day, txid) select (created_at + 19800000) / 86400000, txid_current() from orders
        where id = new.order_id on conflict do nothing;
    return null;
end $$;
create trigger sales_of_a_new_order after insert on orders for each row
    when (new.payment_status = 'completed' and new.replaces_order_id is null) execute function mark_sales_of_order();
create trigger sales_of_a_changed_order after update on orders for each row
    when ((old.payment_status = 'completed' or new.payment_status = 'completed') and (old.payment_status <> new.payment_status
        or (old.order_status = 'cancelled') <> (new.order_status = 'cancelled') or (old.deleted_at is null) <> (new.deleted_at is null)
        or old.total <> new.total or old.discount_amount <> new.discount_amount or old.address <> new.address
        or old.created_at <> new.created_at)) execute function mark_sales_of_order();
create trigger sales_of_a_new_refund after insert on refunds for each row execute function mark_sales_of_refund();
create trigger sales_of_a_changed_refund after update on refunds for each row
    when ((old.state = 'failed') <> (new.state = 'failed') or old.amount <> new.amount) execute function mark_sales_of_refund();

-- Page views and carts by day, counted in memory and added by a worker. They say nothing about who it was.
create table daily_visits (
    day bigint not null,
    step text not null check (step in ('visit', 'product', 'cart')),
    count bigint not null check (count >= 0),
    primary key (day, step)
);

create index orders_replacements on orders (created_at) where replaces_order_id is not null;
create index shipments_delays on shipments (created_at, order_id, status, expected_at, ended_at);
