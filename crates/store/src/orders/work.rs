//! Conditions: what is still to be done about an order.

pub(crate) const TO_PACK: &str = "payment_status = 'completed' and order_status = 'confirmed' and deleted_at is null and packed_at is null";
pub(crate) const TO_SEND: &str =
    "payment_status = 'completed' and order_status = 'confirmed' and deleted_at is null";
/// Paid orders whose status says nothing about what happens next.
const UNDECIDED: &str =
    "payment_status = 'completed' and order_status in ('pending', 'N/A') and deleted_at is null";
/// All money went back, as `Order::is_refunded` of the domain has it.
const REFUNDED: &str =
    "exists (select 1 from refunds r where r.order_id = orders.id and r.state <> 'failed'
    and r.merchant_order_id = orders.paid_by
    group by r.order_id having sum(r.amount) > 0 and orders.total - sum(r.amount) < 100)";
/// Whether an order has packs that are still to be sent, as `Order::packs_to_send` of the domain has it: the money is not
/// refunded but for a rest below the smallest refund, and some packs of a line are neither refunded nor in stock again.
pub(crate) const HAS_PACKS_TO_SEND: &str = "(orders.sends_refunded
    or not exists (select 1 from refunds r where r.order_id = orders.id and r.state <> 'failed' and r.merchant_order_id = orders.paid_by
        group by r.order_id having sum(r.amount) > 0 and orders.total - sum(r.amount) < 100))
    and exists (select 1 from order_lines l where l.order_id = orders.id
        and (l.qty_50g > l.restocked_50g and (orders.sends_refunded or l.qty_50g > (select coalesce(sum(k.qty_50g), 0) from refund_lines k
            join refunds r on r.id = k.refund_id where r.order_id = orders.id and r.merchant_order_id = orders.paid_by and r.state <> 'failed'
            and k.product_id = l.product_id))
        or l.qty_100g > l.restocked_100g and (orders.sends_refunded or l.qty_100g > (select coalesce(sum(k.qty_100g), 0) from refund_lines k
            join refunds r on r.id = k.refund_id where r.order_id = orders.id and r.merchant_order_id = orders.paid_by and r.state <> 'failed'
            and k.product_id = l.product_id))))";
/// What waits for an admin as something else: a failed refund, or a request to cancel.
const WAITS_ELSEWHERE: &str = "(exists (select 1 from concerns c where c.order_id = orders.id and c.kind = 'refund failed' and c.settled_at is null)
    or exists (select 1 from cancellation_requests q where q.order_id = orders.id and q.decided_at is null))";
/// Paid orders that need a decision: nothing is being done about them, and their money is kept. That includes confirmed
/// ones that have nothing left to send, because their packs were put back into stock. Each half has a small index.
pub(crate) fn to_confirm() -> String {
    format!(
        "select id from orders where {UNDECIDED} and not {REFUNDED} and not {WAITS_ELSEWHERE}
         union all select id from orders where {TO_SEND} and not ({HAS_PACKS_TO_SEND}) and not {REFUNDED} and not {WAITS_ELSEWHERE}"
    )
}
