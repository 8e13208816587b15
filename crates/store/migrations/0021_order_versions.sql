-- Pages of admins say which version of an order they showed. Events say which version they made.
alter table orders add column version bigint not null default 0;
alter table order_events add column order_version bigint;

-- An admin has decided to send the packs although all money went back.
alter table orders add column sends_refunded boolean not null default false;

-- What an admin said when settling; empty without words. Null: open, or resolved by the shop's own rules.
alter table concerns add column reason text;

-- Paid orders whose status says nothing about what happens next.
create index orders_to_confirm on orders (created_at)
    where payment_status = 'completed' and order_status in ('pending', 'N/A') and deleted_at is null;

-- Orders that ended with their money kept, and orders that left unpaid, before there were issues of these kinds.
insert into concerns (id, order_id, kind, about, detail, created_at)
    select 'kept-' || o.id, o.id, 'paid, cancelled, not refunded', o.id,
        'The order was cancelled or deleted, and its money was not refunded.', coalesce(o.deleted_at, o.updated_at)
    from orders o
    left join (select order_id, merchant_order_id, sum(amount) as amount from refunds where state <> 'failed'
        group by order_id, merchant_order_id) r on r.order_id = o.id and r.merchant_order_id = o.paid_by
    where o.payment_status = 'completed' and (o.order_status = 'cancelled' or o.deleted_at is not null)
    and o.total - coalesce(r.amount, 0) >= 100;
insert into concerns (id, order_id, kind, about, detail, created_at)
    select 'unpaid-' || id, id, 'shipped, not paid', id, 'The order was set to ' || order_status || ', but it is not paid.', updated_at
    from orders where payment_status <> 'completed' and order_status in ('shipped', 'delivered') and deleted_at is null;
