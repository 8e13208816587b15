//! The queries about orders whose customers are asked for reviews.

use mirasa_app::repository::reviews::ReviewRequest;
use mirasa_domain::order::OrderId;

use crate::sql::row::row;

row! {
    pub(crate) struct RequestRow {
        order_id: OrderId,
        created_at: i64,
    }
}

impl From<RequestRow> for ReviewRequest {
    fn from(row: RequestRow) -> ReviewRequest {
        ReviewRequest {
            order_id: row.order_id,
            created_at_ms: row.created_at,
        }
    }
}

/// A replacement belongs to a purchase that has its own request.
pub(crate) const ORDERS_TO_ASK: &str = "select o.id from orders o
    where o.delivered_at > $1 and o.delivered_at <= $2 and o.order_status = 'delivered' and o.payment_status = 'completed'
    and o.deleted_at is null and o.replaces_order_id is null
    and not exists (select 1 from review_requests q where q.order_id = o.id)
    order by o.delivered_at, o.id limit $3";

/// A refund of an amount names no packs. It counts if the refunds of the order add up to its total. A second payment that was
/// returned is no part of the sale.
pub(crate) const REFUNDED_PRODUCTS: &str = "select l.product_id from order_lines l join orders o on o.id = l.order_id
    left join (select f.product_id, sum(f.qty_50g) as small, sum(f.qty_100g) as large from refund_lines f
        join refunds r on r.id = f.refund_id join orders p on p.id = r.order_id and p.paid_by = r.merchant_order_id
        where r.order_id = $1 and r.state <> 'failed' group by f.product_id) f
        on f.product_id = l.product_id
    where l.order_id = $1 and ((coalesce(f.small, 0) >= l.qty_50g and coalesce(f.large, 0) >= l.qty_100g)
    or (o.total > 0 and (select coalesce(sum(r.amount), 0) from refunds r
        where r.order_id = $1 and r.merchant_order_id = o.paid_by and r.state <> 'failed') >= o.total)
    or l.qty_50g + l.qty_100g <= l.restocked_50g + l.restocked_100g)
    order by l.product_id";

pub(crate) const REQUEST: &str =
    "select order_id, created_at from review_requests where token_hash = $1";
