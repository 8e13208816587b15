//! What is checked of cancellations, problems and parcels that are sent again.

/// An open request belongs to an order that is not cancelled or deleted. A declined customer was told why, unless the account was
/// erased. An accepted request has cancelled its order, unless an admin set another status later. Nothing that was packed is
/// cancelled by its customer without a request, unless it was set back and packed later; events of earlier versions have no
/// detail. The versions of events say what came first: the clock may have been set back.
pub(super) const WRONG_CANCELLATION: &str = "select c.order_id from cancellation_requests c join orders o on o.id = c.order_id
    where c.decided_at is null and (o.order_status = 'cancelled' or o.deleted_at is not null)
    union
    select c.order_id from cancellation_requests c join orders o on o.id = c.order_id join users u on u.id = o.user_id
    where c.decision = 'declined' and c.message = '' and u.deleted_at is null
    union
    select c.order_id from cancellation_requests c join orders o on o.id = c.order_id
    where c.decision = 'accepted' and o.order_status <> 'cancelled'
    and not exists (select 1 from order_events e join order_events a on a.order_id = e.order_id and a.kind = 'cancellation_accepted'
        where e.order_id = o.id and e.kind = 'status_set' and e.order_version > a.order_version)
    union
    select c.order_id from cancellation_requests c where c.decision in ('accepted', 'declined')
    and not exists (select 1 from order_events e where e.order_id = c.order_id and e.kind = 'cancellation_' || c.decision)
    union
    select e.order_id from order_events e join orders o on o.id = e.order_id
    where e.kind = 'cancelled_by_customer' and e.detail = 'not packed' and o.packed_at is not null
    and not exists (select 1 from order_events s where s.order_id = e.order_id and s.kind = 'status_set' and s.order_version > e.order_version)
    order by 1";

/// A problem is refunded from the payment of its order or, for a replacement, of an earlier order. No order has more packs
/// replaced and refunded than it has, unless an admin confirmed it: for a problem, for a refund, or for a cancelled replacement
/// that is sent after all. Packs of a replacement that are in stock again were not sent. Refunds of a second payment return no
/// packs. Of refunds of earlier versions it is not known what was confirmed.
pub(super) const WRONG_PROBLEM: &str = "with recursive chain (id, earlier_id) as (
        select id, replaces_order_id from orders where replaces_order_id is not null
        union
        select c.id, o.replaces_order_id from chain c join orders o on o.id = c.earlier_id where o.replaces_order_id is not null)
    select p.order_id from order_problems p left join refunds r on r.id = p.refund_id
    where p.state = 'refunded' and p.refund_id is not null and (r.id is null or (r.order_id <> p.order_id
        and not exists (select 1 from chain c where c.id = p.order_id and c.earlier_id = r.order_id)))
    union
    select s.order_id from (
        select p.order_id, l.product_id, sum(l.qty_50g - l.restocked_50g) as of_50g, sum(l.qty_100g - l.restocked_100g) as of_100g
        from order_problems p
        join orders n on n.id = p.replacement_order_id and n.order_status <> 'cancelled'
        join order_lines l on l.order_id = n.id
        where p.state = 'replaced'
        and not exists (select 1 from concerns c where c.kind = 'made good twice' and c.about = n.id
            and (c.settled_at is null or c.reason is not null))
        group by p.order_id, l.product_id) s
    join order_lines b on b.order_id = s.order_id and b.product_id = s.product_id
    left join (select r.order_id, k.product_id, sum(k.qty_50g) as of_50g, sum(k.qty_100g) as of_100g
        from refunds r join orders o on o.id = r.order_id and o.paid_by = r.merchant_order_id
        join refund_lines k on k.refund_id = r.id
        where r.state <> 'failed' group by r.order_id, k.product_id) g on g.order_id = s.order_id and g.product_id = s.product_id
    where (s.of_50g + coalesce(g.of_50g, 0) > b.qty_50g or s.of_100g + coalesce(g.of_100g, 0) > b.qty_100g)
    and not exists (select 1 from order_problems q where q.order_id = s.order_id and q.state in ('replaced', 'refunded')
        and (q.repeated is null or q.repeated > 0))
    and (s.of_50g > b.qty_50g or s.of_100g > b.qty_100g
        or not exists (select 1 from refunds f where f.order_id = s.order_id and (f.repeated is null or f.repeated)))
    order by 1";

/// A parcel after a lost one has taken packs out of stock, and only such a parcel has. References are numbered.
pub(super) const WRONG_RESENT: &str = "select distinct n.order_id from shipments n
    join shipments s on s.order_id = n.order_id and s.status = 'lost'
        and (length(s.reference), s.reference) < (length(n.reference), n.reference)
    where not exists (select 1 from order_lines l where l.order_id = n.order_id and l.resent_50g + l.resent_100g > 0)
    union
    select l.order_id from order_lines l where l.resent_50g + l.resent_100g > 0
    and not exists (select 1 from shipments s where s.order_id = l.order_id and s.status = 'lost')
    union
    select l.order_id from order_lines l
    where l.restocked_50g < 0 or l.restocked_100g < 0 or l.restocked_50g > l.qty_50g or l.restocked_100g > l.qty_100g
    order by 1";
