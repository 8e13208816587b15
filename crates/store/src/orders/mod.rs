//! Orders.

pub(crate) mod cancellations;
pub(crate) mod events;
pub(crate) mod issues;
pub(crate) mod notes;
pub(crate) mod problems;
pub(crate) mod row;
pub(crate) mod search;
pub(crate) mod work;

use async_trait::async_trait;
use mirasa_app::repository::orders::{OrderQueries, OrderRepository, RecentOrder};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::address::Address;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{Order, OrderId, OrderState, OrderStatus, PaymentStatus};
use mirasa_domain::payment::AttemptId;
use mirasa_domain::user::UserId;

use crate::orders::row::OrderRow;
use crate::sql::engine::{SqlRepository, placeholders};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

const INSERT_ORDER: &str = "insert into orders (id, user_id, merchant_order_id, total, payment_status, order_status, payment_error, paid_by,
    holds_stock, address, expires_at, created_at, updated_at, replaces_order_id, discount_id, discount_code, discount_amount)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";

const SAVE_STATE: &str = "update orders set payment_status = $2, order_status = $3, holds_stock = $4, payment_error = $5, paid_by = $6,
    updated_at = $7, end_reason = $8, ended_at = case when $2 = 'failed' then coalesce(ended_at, $7) end where id = $1";

row! {
    struct RecentRow {
        user_deleted_at: Option<i64>,
        payment_status: Option<String>,
        ended_at: Option<i64>,
    }
}

/// More orders than the longest cool-down needs.
const RECENT: &str =
    "select u.deleted_at as user_deleted_at, o.payment_status, o.ended_at from users u
    left join orders o on o.user_id = u.id and o.deleted_at is null and o.created_at > $2
    and (o.payment_status = 'completed' or o.end_reason in ('expired', 'released'))
    where u.id = $1 order by o.created_at desc, o.id desc limit 20";

fn deliberate_reasons() -> String {
    let reasons = EndReason::ALL.into_iter().filter(|one| one.is_deliberate());
    let quoted: Vec<_> = reasons.map(|one| format!("'{}'", one.as_str())).collect();
    quoted.join(", ")
}

#[async_trait]
impl OrderQueries for SqlRepository<'_> {
    async fn order(&mut self, id: &OrderId) -> StoreResult<Option<Order>> {
        let condition = "o.id = $1 and o.deleted_at is null";
        Ok(self.select_orders("", condition, id.as_str()).await?.pop())
    }

    async fn deleted_order(&mut self, id: &OrderId) -> StoreResult<Option<Order>> {
        let condition = "o.id = $1 and o.deleted_at is not null";
        Ok(self.select_orders("", condition, id.as_str()).await?.pop())
    }

    async fn orders_by_id(&mut self, ids: &[OrderId]) -> StoreResult<Vec<Order>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select * from orders where id in ({})",
            placeholders(1, ids.len())
        );
        let rows: Vec<OrderRow> = self
            .fetch_all(ids.iter().fold(query(text), Query::bind))
            .await?;
        self.with_lines(rows).await
    }

    async fn order_by_payment_attempt(&mut self, id: &AttemptId) -> StoreResult<Option<Order>> {
        let join = "join payment_attempts a on a.order_id = o.id";
        let found = self.select_orders(join, "a.merchant_order_id = $1", id.as_str());
        Ok(found.await?.pop())
    }

    async fn orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>> {
        const FIND: &str = "select * from orders where user_id = $1 and deleted_at is null order by created_at desc, id desc limit 500";
        let rows = self
            .fetch_all::<OrderRow>(query(FIND).bind(&user.0))
            .await?;
        self.with_lines(rows).await
    }

    async fn pending_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>> {
        let condition = "o.user_id = $1 and o.payment_status = 'pending'";
        self.select_orders("", condition, &user.0).await
    }

    async fn deleted_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>> {
        const FIND: &str = "select * from orders where user_id = $1 and deleted_at is not null order by created_at desc, id desc";
        let rows: Vec<OrderRow> = self.fetch_all(query(FIND).bind(&user.0)).await?;
        self.with_lines(rows).await
    }

    async fn recent_orders(
        &mut self,
        user: &UserId,
        since_ms: i64,
    ) -> StoreResult<Option<Vec<RecentOrder>>> {
        let rows: Vec<RecentRow> = self
            .fetch_all(query(RECENT).bind(&user.0).bind(since_ms))
            .await?;
        let exists = rows
            .first()
            .is_some_and(|row| row.user_deleted_at.is_none());
        let recent = rows.into_iter().filter_map(|row| {
            let status = PaymentStatus::parse(row.payment_status.as_deref()?)?;
            match status {
                PaymentStatus::Completed => Some(RecentOrder::Paid),
                PaymentStatus::Pending | PaymentStatus::Failed => {
                    let ended_at_ms = row.ended_at?;
                    Some(RecentOrder::Unpaid { ended_at_ms })
                }
            }
        });
        Ok(exists.then(|| recent.collect()))
    }
}

#[async_trait]
impl OrderRepository for SqlRepository<'_> {
    async fn insert_order(&mut self, order: &Order) -> StoreResult<()> {
        let address = serde_json::to_string(&order.address)
            .map_err(|error| StoreError::Broken(error.into()))?;
        let discount = order.discount.as_ref();
        self.execute_deferred(
            query(INSERT_ORDER)
                .bind(&order.id)
                .bind(&order.user.0)
                .bind(&order.merchant_order_id)
                .bind(order.state.total.get())
                .bind(order.state.payment_status.as_str())
                .bind(order.state.order_status.as_str())
                .bind(&order.payment_error)
                .bind(&order.paid_by_attempt)
                .bind(order.state.stock_reserved)
                .bind(&address)
                .bind(order.expires_at_ms)
                .bind(order.created_at_ms)
                .bind(order.updated_at_ms)
                .bind(&order.replaces_order_id)
                .bind(discount.map(|discount| &discount.discount_id))
                .bind(discount.map(|discount| discount.code.as_str()))
                .bind(order.saving().get()),
        )
        .await?;
        let rows: Vec<_> = (0..order.lines.len())
            .map(|at| format!("({})", placeholders(at * 11 + 1, 11)))
            .collect();
        let text = format!(
            "insert into order_lines (order_id, line, product_id, product_name, image, qty_50g, qty_100g, price_50g, price_100g, line_total, discount) values {}",
            rows.join(", ")
        );
        let mut insert = query(text);
        for (number, line) in (1_i64..).zip(&order.lines) {
            insert = insert
                .bind(&order.id)
                .bind(number)
                .bind(&line.product.0)
                .bind(&line.product_name)
                .bind(&line.image)
                .bind(i64::from(line.packs.of_50g))
                .bind(i64::from(line.packs.of_100g))
                .bind(line.prices.of_50g.map(Paise::get))
                .bind(line.prices.of_100g.map(Paise::get))
                .bind(line.total.get())
                .bind(line.discount.get());
        }
        self.execute_deferred(insert).await
    }

    async fn lock_order(&mut self, id: &OrderId) -> StoreResult<()> {
        if self.is_postgres() {
            self.fetch_optional::<OrderId>(query(SqlRepository::FOR_UPDATE_ORDER).bind(id))
                .await?;
        }
        Ok(())
    }

    async fn lock_orders(&mut self, ids: &[OrderId]) -> StoreResult<()> {
        self.lock_all("orders", ids).await
    }

    async fn save_order_state(
        &mut self,
        order_id: &OrderId,
        state: OrderState,
        error: Option<&str>,
        paid_by_attempt: Option<&AttemptId>,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query(SAVE_STATE)
                .bind(order_id)
                .bind(state.payment_status.as_str())
                .bind(state.order_status.as_str())
                .bind(state.stock_reserved)
                .bind(error)
                .bind(paid_by_attempt)
                .bind(now_ms)
                .bind(state.end_reason.map(EndReason::as_str)),
        )
        .await
    }

    async fn set_current_attempt(
        &mut self,
        order_id: &OrderId,
        merchant_order_id: &AttemptId,
        expires_at_ms: i64,
    ) -> StoreResult<()> {
        const SET: &str = "update orders set merchant_order_id = $2, expires_at = $3 where id = $1";
        self.execute_deferred(
            query(SET)
                .bind(order_id)
                .bind(merchant_order_id)
                .bind(expires_at_ms),
        )
        .await
    }

    async fn set_order_status(
        &mut self,
        id: &OrderId,
        status: OrderStatus,
        now_ms: i64,
    ) -> StoreResult<bool> {
        // The day of the delivery begins once, unless a parcel was sent afterwards, or the courier delivered it afterwards:
        // a parcel is updated for the last time when that is known. The courier's clock may be ahead.
        const SET: &str = "update orders set order_status = $2, updated_at = $3, delivered_at = case
                when $2 <> 'delivered' then delivered_at
                when delivered_at is null or exists (select 1 from shipments s where s.order_id = orders.id
                    and (s.created_at > orders.delivered_at and (s.partner = 'manual' or s.picked_up_at is not null)
                        or s.status = 'delivered' and s.updated_at > orders.delivered_at)) then $3
                else delivered_at end
            where id = $1 and deleted_at is null";
        Ok(self
            .execute(query(SET).bind(id).bind(status.as_str()).bind(now_ms))
            .await?
            > 0)
    }

    async fn set_order_address(
        &mut self,
        id: &OrderId,
        address: &Address,
        now_ms: i64,
    ) -> StoreResult<()> {
        const SET: &str = "update orders set address = $2, updated_at = $3 where id = $1";
        let address =
            serde_json::to_string(address).map_err(|error| StoreError::Broken(error.into()))?;
        self.execute_deferred(query(SET).bind(id).bind(address).bind(now_ms))
            .await
    }

    async fn set_sends_refunded(&mut self, id: &OrderId) -> StoreResult<()> {
        const SET: &str =
            "update orders set sends_refunded = true, version = version + 1 where id = $1";
        self.execute_deferred(query(SET).bind(id)).await
    }

    async fn delete_order(&mut self, id: &OrderId, now_ms: i64) -> StoreResult<bool> {
        Ok(self
            .execute(
                query("update orders set deleted_at = $2 where id = $1 and deleted_at is null")
                    .bind(id)
                    .bind(now_ms),
            )
            .await?
            > 0)
    }

    async fn restore_order(&mut self, id: &OrderId, now_ms: i64) -> StoreResult<bool> {
        const RESTORE: &str = "update orders set deleted_at = null, updated_at = $2 where id = $1 and deleted_at is not null";
        let changed = self.execute(query(RESTORE).bind(id).bind(now_ms)).await?;
        Ok(changed > 0)
    }

    async fn mark_failed_orders(&mut self, user: &UserId, reason: EndReason) -> StoreResult<()> {
        // Deleted orders were marked when they were deleted.
        let text = format!(
            "update orders set end_reason = $2 where user_id = $1 and deleted_at is null
             and payment_status = 'failed' and (end_reason is null or end_reason not in ({}))",
            deliberate_reasons()
        );
        self.execute_deferred(query(text).bind(&user.0).bind(reason.as_str()))
            .await
    }
}
