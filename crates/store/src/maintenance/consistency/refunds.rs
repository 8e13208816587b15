//! The rules about refunds: packs go back once, a replaced refund is closed, and the documents declare the money kept.

/// An order puts back into stock only packs that it holds. One that was never cancelled has no more packs in stock again than
/// were refunded, unless a failed refund waits, or an amount was refunded, which may be for packs.
pub(super) const WRONG_RESTOCK: &str =
    "select l.order_id from order_lines l join orders o on o.id = l.order_id
    where l.restocked_50g > l.qty_50g or l.restocked_100g > l.qty_100g
    or (not o.holds_stock and l.restocked_50g + l.restocked_100g > 0)
    union
    select l.order_id from order_lines l join orders o on o.id = l.order_id
    where l.restocked_50g + l.restocked_100g > 0 and o.payment_status = 'completed' and o.order_status <> 'cancelled'
    and (l.restocked_50g > (select coalesce(sum(k.qty_50g), 0) from refund_lines k join refunds r on r.id = k.refund_id
            where r.order_id = o.id and r.state <> 'failed' and k.product_id = l.product_id)
        or l.restocked_100g > (select coalesce(sum(k.qty_100g), 0) from refund_lines k join refunds r on r.id = k.refund_id
            where r.order_id = o.id and r.state <> 'failed' and k.product_id = l.product_id))
    and not exists (select 1 from order_events e where e.order_id = o.id
        and (e.kind in ('cancelled_by_customer', 'cancellation_accepted') or (e.kind = 'status_set' and e.detail = 'cancelled')))
    and not exists (select 1 from refunds r where r.order_id = o.id and r.state <> 'failed'
        and not exists (select 1 from refund_lines k where k.refund_id = r.id))
    and not exists (select 1 from refunds r where r.order_id = o.id and r.state = 'failed' and r.superseded_by is null
        and not exists (select 1 from refunds n where n.retry_of = r.id))
    order by 1";

/// Each pack is refunded once. Earlier versions did not compare the packs of a repetition; it has not marked the refund that
/// it repeats. A failed refund has an issue, which is resolved when another refund replaces it.
pub(super) const WRONG_REFUNDS: &str = "select r.order_id from refunds r join refund_lines l on l.refund_id = r.id
    left join order_lines o on o.order_id = r.order_id and o.product_id = l.product_id
    left join refunds f on f.id = r.retry_of
    where r.state <> 'failed' and (r.retry_of is null or f.superseded_by is not null)
    group by r.merchant_order_id, r.order_id, l.product_id, o.qty_50g, o.qty_100g
    having sum(l.qty_50g) > coalesce(o.qty_50g, 0) or sum(l.qty_100g) > coalesce(o.qty_100g, 0)
    union
    select r.order_id from refunds r left join refunds n on n.id = r.superseded_by
    where r.superseded_by is not null and (r.state <> 'failed' or n.id is null or n.merchant_order_id <> r.merchant_order_id)
    union
    select r.order_id from refunds r left join concerns c on c.kind = 'refund failed' and c.about = r.id
    where (r.state = 'failed' and c.id is null)
    or (c.id is not null and c.settled_at is null and (r.state <> 'failed' or r.superseded_by is not null))
    order by 1";

/// Once no refund is under way, an invoice less its credit notes is what was paid and not refunded. Earlier versions issued
/// invoices without refunds that then failed; as long as such an amount is owed, the invoice may be lower by it.
pub(super) const WRONG_DECLARATION: &str = "select i.order_id from documents i join orders o on o.id = i.order_id
    left join (select merchant_order_id, sum(case when state = 'completed' then amount else 0 end) as returned,
            sum(case when state in ('wanted', 'pending') then 1 else 0 end) as under_way
            from refunds group by merchant_order_id) r on r.merchant_order_id = o.paid_by
    left join (select refers_to, sum(total) as total from documents where refers_to is not null group by refers_to) n
        on n.refers_to = i.id
    left join (select d.deducted_from, sum(case when p.deducted_from is null then d.amount else 0 end)
            - sum(case when d.state <> 'failed' then d.amount else 0 end) as owed
            from refunds d left join refunds p on p.id = d.retry_of
            where d.deducted_from is not null group by d.deducted_from) f on f.deducted_from = i.id
    where i.refers_to is null and coalesce(r.under_way, 0) = 0
    and (i.total - coalesce(n.total, 0) > o.total - coalesce(r.returned, 0)
        or i.total - coalesce(n.total, 0) < o.total - coalesce(r.returned, 0) - coalesce(f.owed, 0))
    order by 1";
