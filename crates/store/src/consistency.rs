//! The checks of `mirasa check`: whether stock, orders and payments agree.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::consistency::ConsistencyQueries;
use mirasa_domain::product::ProductId;

use crate::engine::SqlRepository;
use crate::query::query;

const COUNTS: &str = "select (select count(*) from products), (select count(*) from orders),
    (select count(*) from payment_attempts where state = 'completed')";

const WRONG_RESERVATION: &str =
    "select id from orders where holds_stock <> (payment_status <> 'failed') order by id";

/// Compares the sum of an order's ledger rows with its lines, without restocked packs, if it has reserved stock, otherwise
/// with 0.
const NOT_MATCHING_LEDGER: &str = "select o.id from orders o
    left join (select order_id, sum(qty_50g - restocked_50g) as small, sum(qty_100g - restocked_100g) as large
        from order_lines group by order_id) n on n.order_id = o.id
    left join (select order_id, sum(grams) as grams, sum(pouches_50g) as small, sum(pouches_100g) as large from stock_ledger
        where order_id is not null group by order_id) l on l.order_id = o.id
    where coalesce(l.small, 0) <> case when o.holds_stock then -coalesce(n.small, 0) else 0 end
    or coalesce(l.large, 0) <> case when o.holds_stock then -coalesce(n.large, 0) else 0 end
    or coalesce(l.grams, 0) <> case when o.holds_stock then -(50 * coalesce(n.small, 0) + 100 * coalesce(n.large, 0)) else 0 end
    order by o.id";

/// A completed payment belongs to a completed order, to a refund or to an order issue. Only failed orders have an end
/// reason. The payments of a deliberately ended order have a refund, unless an admin decides about a wrong amount. No
/// payment is refunded beyond its amount. An order without charge has no payment.
const WRONG_PAYMENT: &str = "select o.id from orders o left join payment_attempts a on a.merchant_order_id = o.paid_by
    where (o.payment_status = 'completed' and o.total > 0 and (a.order_id is null or a.order_id <> o.id or a.state <> 'completed' or a.amount <> o.total))
    or (o.payment_status <> 'completed' and o.paid_by is not null)
    union
    select a.order_id from payment_attempts a join orders o on o.id = a.order_id
    where a.state = 'completed' and (o.paid_by is null or o.paid_by <> a.merchant_order_id)
    and not exists (select 1 from refunds r where r.merchant_order_id = a.merchant_order_id)
    and not exists (select 1 from concerns c where c.about = a.merchant_order_id)
    union
    select a.order_id from payment_attempts a join orders o on o.id = a.order_id
    where a.state = 'completed' and o.end_reason in ('cancelled', 'cancelled by customer', 'deleted', 'account deleted', 'released')
    and not exists (select 1 from refunds r where r.merchant_order_id = a.merchant_order_id)
    and not exists (select 1 from concerns c where c.about = a.merchant_order_id and c.kind = 'amount mismatch')
    union
    select id from orders where end_reason is not null and payment_status <> 'failed'
    union
    select a.order_id from payment_attempts a join refunds r on r.merchant_order_id = a.merchant_order_id
    where r.state <> 'failed' group by a.merchant_order_id, a.order_id, a.received, a.amount
    having sum(r.amount) > coalesce(a.received, a.amount)
    order by 1";

#[async_trait]
impl ConsistencyQueries for SqlRepository<'_> {
    async fn checked_counts(&mut self) -> StoreResult<(i64, i64, i64)> {
        self.fetch_one::<(i64, i64, i64)>(query(COUNTS)).await
    }

    async fn products_not_matching_ledger(&mut self) -> StoreResult<Vec<ProductId>> {
        const FIND: &str = "select p.id from products p left join stock_ledger l on l.product_id = p.id
            group by p.id, p.stock_grams, p.pouches_50g, p.pouches_100g
            having p.stock_grams <> coalesce(sum(l.grams), 0) or p.pouches_50g <> coalesce(sum(l.pouches_50g), 0)
            or p.pouches_100g <> coalesce(sum(l.pouches_100g), 0) order by p.id";
        let ids = self.fetch_all::<String>(query(FIND)).await?;
        Ok(ids.into_iter().map(ProductId).collect())
    }

    async fn orders_with_wrong_reservation(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_RESERVATION)).await
    }

    async fn orders_not_matching_ledger(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(NOT_MATCHING_LEDGER)).await
    }

    async fn orders_with_wrong_payment(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_PAYMENT)).await
    }
}
