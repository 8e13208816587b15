//! The checks of `mirasa check`: whether stock, orders, payments, invoices, parcels and reviews agree.

pub(crate) mod after_sale;
pub(crate) mod batches;
pub(crate) mod erasure;
pub(crate) mod leaving;
pub(crate) mod refunds;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::reports::consistency::{
    BatchExcess, CheckedCounts, ConsistencyQueries, OrderPacks,
};
use mirasa_domain::product::ProductId;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct CountsRow {
        products: i64,
        orders: i64,
        payments: i64,
        documents: i64,
        reviews: i64,
        parcels: i64,
        discounts: i64,
        batches: i64,
    }
}

const COUNTS: &str = "select (select count(*) from products) as products, (select count(*) from orders) as orders,
    (select count(*) from payment_attempts where state = 'completed') as payments, (select count(*) from documents) as documents,
    (select count(*) from reviews) as reviews,
    (select count(*) from shipments) as parcels,
    (select count(*) from discounts) as discounts,
    (select count(*) from batches) as batches";

const WRONG_RESERVATION: &str =
    "select id from orders where holds_stock <> (payment_status <> 'failed') order by id";

/// Compares the sum of an order's ledger rows with its lines if it has reserved stock, otherwise with 0. Restocked packs do
/// not count, those that were sent again instead of lost ones do.
const NOT_MATCHING_LEDGER: &str = "select o.id from orders o
    left join (select order_id, sum(qty_50g - restocked_50g + resent_50g) as small, sum(qty_100g - restocked_100g + resent_100g) as large
        from order_lines group by order_id) n on n.order_id = o.id
    left join (select order_id, sum(grams) as grams, sum(pouches_50g) as small, sum(pouches_100g) as large from stock_ledger
        where order_id is not null group by order_id) l on l.order_id = o.id
    where coalesce(l.small, 0) <> case when o.holds_stock then -coalesce(n.small, 0) else 0 end
    or coalesce(l.large, 0) <> case when o.holds_stock then -coalesce(n.large, 0) else 0 end
    or coalesce(l.grams, 0) <> case when o.holds_stock then -(50 * coalesce(n.small, 0) + 100 * coalesce(n.large, 0)) else 0 end
    order by o.id";

/// A completed payment belongs to a completed order, to a refund or to an order issue. Only failed orders have an end
/// reason. The payments of a deliberately ended order have a refund, unless an admin decides about a wrong amount. No
/// payment is refunded beyond its amount. A replacement has no payment; an order that a discount made free has one of zero.
const WRONG_PAYMENT: &str = "select o.id from orders o left join payment_attempts a on a.merchant_order_id = o.paid_by
    where (o.payment_status = 'completed' and (o.total > 0 or o.discount_amount > 0) and (a.order_id is null or a.order_id <> o.id or a.state <> 'completed' or a.amount <> o.total))
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

/// An invoice is for what was paid, less the refunds that were deducted from it. A repetition that an earlier version has
/// deducted counts with the refund that it repeats.
const WRONG_INVOICE: &str = "select d.order_id from documents d
    left join (select document_id, sum(taxable) as taxable, sum(cgst) as cgst, sum(sgst) as sgst, sum(igst) as igst
        from document_lines group by document_id) l on l.document_id = d.id
    where coalesce(l.taxable, 0) <> d.taxable or coalesce(l.cgst, 0) <> d.cgst or coalesce(l.sgst, 0) <> d.sgst
    or coalesce(l.igst, 0) <> d.igst
    union
    select d.order_id from documents d join orders o on o.id = d.order_id
    left join (select r.deducted_from, sum(r.amount) as amount from refunds r left join refunds p on p.id = r.retry_of
        where r.deducted_from is not null and p.deducted_from is null group by r.deducted_from) r on r.deducted_from = d.id
    where d.refers_to is null and d.total + coalesce(r.amount, 0) <> o.total
    order by 1";

/// A credit note is for its refund, as far as the invoice has that much left and is not without a failed refund of an
/// earlier version. Refunds of a second payment have none.
const WRONG_CREDIT_NOTES: &str = "select i.order_id from documents i
    join (select refers_to, sum(taxable) as taxable, sum(cgst) as cgst, sum(sgst) as sgst, sum(igst) as igst from documents
        where refers_to is not null group by refers_to) n on n.refers_to = i.id
    where n.taxable > i.taxable or n.cgst > i.cgst or n.sgst > i.sgst or n.igst > i.igst
    union
    select i.order_id from documents i join document_lines l on l.document_id = i.id
    join (select d.refers_to, m.product_id, m.grams, sum(m.quantity) as quantity, sum(m.gross) as gross from documents d
        join document_lines m on m.document_id = d.id where d.refers_to is not null group by d.refers_to, m.product_id, m.grams) n
        on n.refers_to = i.id and n.product_id = l.product_id and n.grams = l.grams
    where n.quantity > l.quantity or n.gross > l.gross - l.discount
    union
    select r.order_id from refunds r join orders o on o.id = r.order_id and o.paid_by = r.merchant_order_id
    join documents i on i.order_id = r.order_id and i.refers_to is null
    left join documents n on n.refund_id = r.id
    where r.state = 'completed' and r.deducted_from is null and coalesce(n.total, 0) <> r.amount
    and (n.total > r.amount or coalesce((select sum(c.total) from documents c where c.refers_to = i.id), 0) < i.total)
    and not exists (select 1 from refunds f where f.deducted_from = i.id and f.state = 'failed')
    union
    select n.order_id from documents n left join refunds r on r.id = n.refund_id
    where n.refers_to is not null and (r.id is null or r.state <> 'completed' or r.order_id <> n.order_id or n.total > r.amount)
    order by 1";

const INCOMPLETE_SERIES: &str = "select s.series || '/' || s.financial_year from document_series s
    left join (select series, financial_year, count(*) as documents, min(serial) as first, max(serial) as last from documents
        group by series, financial_year) d on d.series = s.series and d.financial_year = s.financial_year
    where coalesce(d.documents, 0) <> s.last_serial or d.first <> 1 or d.last <> s.last_serial
    union
    select d.series || '/' || d.financial_year from documents d
    left join document_series s on s.series = d.series and s.financial_year = d.financial_year
    left join documents next on next.series = d.series and next.financial_year = d.financial_year and next.serial = d.serial + 1
    where s.series is null or next.issued_at < d.issued_at
    order by 1";

/// A request that was notified has its email, which is deleted with it.
const NOTICE_WITHOUT_EMAIL: &str = "select n.id from stock_notices n
    left join mails m on m.id = n.id || '-' || cast(n.notified_at as text)
    where n.notified_at is not null and (m.id is null or m.recipient <> n.email) order by n.id";

const WRONG_RATING: &str = "select p.id from products p left join reviews r on r.product_id = p.id and r.hidden_at is null
    group by p.id, p.stars_1, p.stars_2, p.stars_3, p.stars_4, p.stars_5
    having p.stars_1 <> count(case when r.stars = 1 then 1 end) or p.stars_2 <> count(case when r.stars = 2 then 1 end)
    or p.stars_3 <> count(case when r.stars = 3 then 1 end) or p.stars_4 <> count(case when r.stars = 4 then 1 end)
    or p.stars_5 <> count(case when r.stars = 5 then 1 end) order by p.id";

/// A review is about an order of its author that has the product. Its votes are of others.
const WRONG_REVIEW: &str = "select r.id from reviews r left join review_votes v on v.review_id = r.id
    group by r.id, r.helpful having r.helpful <> count(v.user_id)
    union
    select r.id from reviews r join orders o on o.id = r.order_id
    where o.user_id <> r.user_id
    or not exists (select 1 from order_lines l where l.order_id = r.order_id and l.product_id = r.product_id)
    union
    select r.id from reviews r join review_votes v on v.review_id = r.id and v.user_id = r.user_id
    order by 1";

/// A parcel that has left is booked at the partner, and its order is no longer waiting. A delivered parcel has ended, and
/// its order was set to delivered once, unless an admin has decided otherwise. The parcel of a deleted order does not change
/// it. Only parcels in hand have a label.
const WRONG_PARCEL: &str = "select order_id from shipments where status not in ('cancelled', 'returned', 'lost')
    group by order_id having count(*) > 1
    union
    select order_id from shipments where partner = 'integrated' and status not in ('preparing', 'cancelled')
    and (partner_order_id is null or partner_shipment_id is null or tracking_number = '' or cost is null)
    union
    select s.order_id from shipments s join orders o on o.id = s.order_id
    where s.status in ('picked_up', 'in_transit', 'out_for_delivery', 'undelivered', 'returning', 'delivered')
    and o.order_status = 'confirmed' and o.deleted_at is null
    and not exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'status_set' and e.detail = 'confirmed')
    union
    select order_id from shipments where (status in ('delivered', 'returned', 'lost')) <> (ended_at is not null)
    union
    select e.order_id from order_events e where e.kind = 'status_set' and e.detail = 'delivered' and e.actor = 'system'
    group by e.order_id having count(*) > 1
    union
    select s.order_id from shipments s join shipment_labels l on l.shipment_id = s.id
    where s.status in ('delivered', 'returned', 'lost', 'cancelled')
    order by 1";

/// An order's total and discount are the sums of its lines, and each line is its packs at their prices, less its discount.
/// An order with a discount has a code.
const WRONG_DISCOUNT: &str = "select o.id from orders o
    left join (select order_id, sum(line_total) as total, sum(discount) as discount from order_lines group by order_id) l
        on l.order_id = o.id
    where o.total <> coalesce(l.total, 0) or o.discount_amount <> coalesce(l.discount, 0)
    or (o.discount_amount > 0 and (o.discount_id is null or o.discount_code is null))
    union
    select order_id from order_lines
    where line_total < 0 or line_total + discount <> qty_50g * coalesce(price_50g, 0) + qty_100g * coalesce(price_100g, 0)
    order by 1";

/// A batch has what the ledger gave it, less the packs that orders have of it.
const WRONG_BATCH: &str = "select b.product_id || ' (' || b.id || ')' from batches b
    left join (select batch_id, sum(grams) as grams from stock_ledger where batch_id is not null group by batch_id) l
        on l.batch_id = b.id
    left join (select batch_id, sum((quantity - returned) * pack_grams) as grams from batch_packs group by batch_id) k
        on k.batch_id = b.id
    where b.left_grams <> coalesce(l.grams, 0) - coalesce(k.grams, 0)
    union
    select k.product_id || ' (' || k.batch_id || ')' from batch_packs k join batches b on b.id = k.batch_id
    where b.product_id <> k.product_id
    union
    select l.product_id || ' (' || l.batch_id || ')' from stock_ledger l left join batches b on b.id = l.batch_id
    where l.batch_id is not null and (b.id is null or b.product_id <> l.product_id)
    order by 1";

const OVERUSED_DISCOUNTS: &str =
    "select d.code from discounts d join orders o on o.discount_id = d.id
    where o.payment_status <> 'failed' and o.order_status <> 'cancelled' and d.max_uses is not null
    group by d.id, d.code, d.max_uses having count(*) > d.max_uses order by d.code";

#[async_trait]
impl ConsistencyQueries for SqlRepository<'_> {
    async fn checked_counts(&mut self) -> StoreResult<CheckedCounts> {
        let counts: CountsRow = self.fetch_one(query(COUNTS)).await?;
        Ok(CheckedCounts {
            products: counts.products,
            orders: counts.orders,
            payments: counts.payments,
            invoices: counts.documents,
            reviews: counts.reviews,
            parcels: counts.parcels,
            discounts: counts.discounts,
            batches: counts.batches,
        })
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

    async fn orders_with_wrong_invoice(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_INVOICE)).await
    }

    async fn orders_with_wrong_credit_notes(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_CREDIT_NOTES)).await
    }

    async fn orders_with_wrong_restock(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(refunds::WRONG_RESTOCK))
            .await
    }

    async fn orders_with_wrong_refunds(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(refunds::WRONG_REFUNDS))
            .await
    }

    async fn orders_with_wrong_declaration(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(refunds::WRONG_DECLARATION))
            .await
    }

    async fn stock_notices_without_email(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(NOTICE_WITHOUT_EMAIL)).await
    }

    async fn products_with_wrong_rating(&mut self) -> StoreResult<Vec<ProductId>> {
        let ids = self.fetch_all::<String>(query(WRONG_RATING)).await?;
        Ok(ids.into_iter().map(ProductId).collect())
    }

    async fn wrong_reviews(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_REVIEW)).await
    }

    async fn orders_with_wrong_parcel(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_PARCEL)).await
    }

    async fn orders_with_wrong_discount(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_DISCOUNT)).await
    }

    async fn wrong_batches(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(WRONG_BATCH)).await
    }

    async fn batch_packs_taken_twice(&mut self) -> StoreResult<Vec<OrderPacks>> {
        self.find_taken_twice().await
    }

    async fn batches_beyond_stock(&mut self) -> StoreResult<Vec<BatchExcess>> {
        self.find_batch_excess().await
    }

    async fn orders_with_wrong_cancellation(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(after_sale::WRONG_CANCELLATION))
            .await
    }

    async fn orders_with_wrong_problem(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(after_sale::WRONG_PROBLEM))
            .await
    }

    async fn orders_sent_again_wrongly(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(after_sale::WRONG_RESENT))
            .await
    }

    async fn overused_discounts(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(OVERUSED_DISCOUNTS)).await
    }

    async fn orders_naming_erased_customers(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(erasure::NAMED_AFTER_ERASURE))
            .await
    }

    async fn orders_with_kept_payment(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(leaving::KEPT_PAYMENT)).await
    }

    async fn orders_that_left_wrongly(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(leaving::LEFT_WRONGLY)).await
    }

    async fn orders_without_invoice(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(leaving::WITHOUT_INVOICE))
            .await
    }

    async fn incomplete_series(&mut self) -> StoreResult<Vec<String>> {
        self.fetch_all::<String>(query(INCOMPLETE_SERIES)).await
    }
}
