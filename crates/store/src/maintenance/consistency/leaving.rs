//! The checks of orders that left or ended in a way that costs money: an admin knows of each of them.

/// The order ended with its money kept, and there is no issue; or the issue was settled without a reason. A rest that the
/// gateway cannot refund is kept.
pub(super) const KEPT_PAYMENT: &str = "select o.id from orders o
    left join (select order_id, merchant_order_id, sum(amount) as amount from refunds where state <> 'failed'
        group by order_id, merchant_order_id) r on r.order_id = o.id and r.merchant_order_id = o.paid_by
    where o.payment_status = 'completed' and (o.order_status = 'cancelled' or o.deleted_at is not null)
    and o.total - coalesce(r.amount, 0) >= 100
    and not exists (select 1 from concerns c where c.kind = 'paid, cancelled, not refunded' and c.about = o.id
        and (c.settled_at is null or c.reason <> ''))
    union
    select c.order_id from concerns c join orders o on o.id = c.order_id
    where c.kind = 'paid, cancelled, not refunded' and c.settled_at is null
    and not (o.payment_status = 'completed' and (o.order_status = 'cancelled' or o.deleted_at is not null))
    order by 1";

/// The order left the shop unpaid, or after all its money or packs had gone back, and there is no issue. The last time that
/// it left counts: what goes back afterwards is usual. The versions of events say what came first; the clock may have been
/// set back. Events of earlier releases have none.
pub(super) const LEFT_WRONGLY: &str = "select o.id from orders o
    where o.payment_status <> 'completed' and o.order_status in ('shipped', 'delivered') and o.deleted_at is null
    and not exists (select 1 from concerns c where c.kind = 'shipped, not paid' and c.about = o.id
        and (c.settled_at is null or c.reason is not null))
    union
    select o.id from orders o
    join (select order_id, max(version) as version from (
            select order_id, coalesce(order_version, 0) as version, kind, detail,
                lag(case when kind = 'status_set' then detail else kind end)
                    over (partition by order_id order by coalesce(order_version, 0), at, id) as before
            from order_events where kind in ('status_set', 'cancelled_by_customer', 'cancellation_accepted', 'paid', 'ended')) changes
        where kind = 'status_set' and detail in ('shipped', 'delivered') and coalesce(before, '') not in ('shipped', 'delivered')
        group by order_id) e on e.order_id = o.id
    where o.payment_status = 'completed' and o.order_status in ('shipped', 'delivered') and o.deleted_at is null
    and not o.sends_refunded and e.version > 0
    and not exists (select 1 from concerns c where c.kind = 'shipped, refunded' and c.about = o.id
        and (c.settled_at is null or c.reason is not null))
    and ((exists (select 1 from refunds r where r.order_id = o.id and r.state <> 'failed' and r.merchant_order_id = o.paid_by
                group by r.order_id having sum(r.amount) > 0 and o.total - sum(r.amount) < 100)
            and not exists (select 1 from order_events b where b.order_id = o.id and b.kind = 'refund_requested' and b.order_version > e.version))
        or (not exists (select 1 from order_lines l where l.order_id = o.id and (l.qty_50g > l.restocked_50g or l.qty_100g > l.restocked_100g))
            and not exists (select 1 from order_events b where b.order_id = o.id and b.kind = 'restocked' and b.order_version > e.version)))
    order by 1";

/// The order left the shop, it is paid, the money is kept, and there is no invoice. A refund that is under way may return all of
/// it. An invoice leaves out only refunds that are completed, so an order whose refund failed later has one. Orders that left
/// before events had versions are of releases without invoices.
pub(super) const WITHOUT_INVOICE: &str = "select o.id from orders o
    join (select order_id, max(version) as version from (
            select order_id, coalesce(order_version, 0) as version, kind, detail,
                lag(case when kind = 'status_set' then detail else kind end)
                    over (partition by order_id order by coalesce(order_version, 0), at, id) as before
            from order_events where kind in ('status_set', 'cancelled_by_customer', 'cancellation_accepted', 'paid', 'ended')) changes
        where kind = 'status_set' and detail in ('shipped', 'delivered') and coalesce(before, '') not in ('shipped', 'delivered')
        group by order_id) e on e.order_id = o.id
    left join (select merchant_order_id, sum(case when state = 'completed' then amount else 0 end) as returned,
            sum(case when state in ('wanted', 'pending') then 1 else 0 end) as under_way
        from refunds group by merchant_order_id) r on r.merchant_order_id = o.paid_by
    where o.payment_status = 'completed' and o.order_status in ('shipped', 'delivered') and e.version > 0
    and o.total - coalesce(r.returned, 0) >= 100 and coalesce(r.under_way, 0) = 0
    and not exists (select 1 from documents d where d.order_id = o.id and d.refers_to is null)
    order by 1";
