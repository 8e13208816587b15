//! Orders and their lines. What is bought moves in `stock_moves`, lists are made in `order_search`.

use async_trait::async_trait;
use mirasa_app::ports::orders::{
    AttemptWithOrder, Order, OrderCursor, OrderFilter, OrderIssue, OrderLine, OutboxEmail,
    PaymentAttempt, PaymentAttemptState, ReadOrders, Refund, ResumableOrder, StockMovement,
    WriteOrders,
};
use mirasa_app::ports::storage::{SavedAddress, StoreError, StoreResult};
use mirasa_domain::cart::CartLine;
use mirasa_domain::end_reason::EndReason;
use mirasa_domain::money::Paise;
use mirasa_domain::order::{OrderState, OrderStatus};
use mirasa_domain::product::{Product, ProductId};
use mirasa_domain::stock::Stock;
use mirasa_domain::user::UserId;

use crate::engine::{SqlRepository, placeholders};
use crate::order_rows::OrderRow;
use crate::products::ProductRow;
use crate::query::{Query, query};

const INSERT_ORDER: &str = "insert into orders (id, user_id, merchant_order_id, total, payment_status, order_status, payment_error, paid_by,
    holds_stock, address, expires_at, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
const SAVE_SETTLEMENT: &str = "update orders set payment_status = $2, order_status = $3, holds_stock = $4, payment_error = $5, paid_by = $6,
    updated_at = $7, end_reason = $8, ended_at = case when $2 = 'failed' then coalesce(ended_at, $7) end where id = $1";

#[async_trait]
impl ReadOrders for SqlRepository<'_> {
    async fn order(&mut self, id: &str) -> StoreResult<Option<Order>> {
        self.find_order(id).await
    }

    async fn order_by_payment_attempt(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<Order>> {
        self.find_order_by_attempt(merchant_order_id).await
    }

    async fn orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>> {
        const FIND: &str = "select * from orders where user_id = $1 and deleted_at is null order by created_at desc, id desc limit 500";
        let rows = self
            .fetch_all::<OrderRow>(query(FIND).bind(&user.0))
            .await?;
        self.with_lines(rows).await
    }

    async fn pending_orders_of(&mut self, user: &UserId) -> StoreResult<Vec<Order>> {
        self.find_pending_orders(user).await
    }

    async fn attempt(&mut self, merchant_order_id: &str) -> StoreResult<Option<PaymentAttempt>> {
        self.find_attempt(merchant_order_id).await
    }

    async fn attempt_with_order(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<AttemptWithOrder>> {
        self.find_settling(merchant_order_id, false).await
    }

    async fn products_by_id(&mut self, ids: &[ProductId]) -> StoreResult<Vec<Product>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select * from products where deleted_at is null and id in ({})",
            placeholders(1, ids.len())
        );
        let ids = ids.iter().map(|id| &id.0);
        let rows: Vec<ProductRow> = self.fetch_all(ids.fold(query(text), Query::bind)).await?;
        rows.into_iter().map(ProductRow::into_product).collect()
    }

    async fn count_orders(&mut self, filter: &OrderFilter) -> StoreResult<i64> {
        self.count_found(filter).await
    }

    async fn orders_page(
        &mut self,
        filter: &OrderFilter,
        total: i64,
        offset: i64,
        limit: i64,
    ) -> StoreResult<Vec<Order>> {
        self.page_found(filter, total, offset, limit).await
    }

    async fn orders_after(
        &mut self,
        filter: &OrderFilter,
        behind: Option<&OrderCursor>,
        limit: i64,
    ) -> StoreResult<Vec<Order>> {
        self.chunk_found(filter, behind, limit).await
    }

    async fn open_issues(&mut self) -> StoreResult<Vec<OrderIssue>> {
        self.list_concerns().await
    }

    async fn recent_emails(&mut self, limit: i64) -> StoreResult<Vec<OutboxEmail>> {
        self.list_mails(limit).await
    }

    async fn email(&mut self, id: &str) -> StoreResult<Option<OutboxEmail>> {
        self.find_mail(id).await
    }

    async fn products_not_matching_ledger(&mut self) -> StoreResult<Vec<ProductId>> {
        const FIND: &str = "select p.id from products p left join stock_ledger l on l.product_id = p.id
            group by p.id, p.stock_grams, p.pouches_50g, p.pouches_100g
            having p.stock_grams <> coalesce(sum(l.grams), 0) or p.pouches_50g <> coalesce(sum(l.pouches_50g), 0)
            or p.pouches_100g <> coalesce(sum(l.pouches_100g), 0) order by p.id";
        let ids = self.fetch_all::<String>(query(FIND)).await?;
        Ok(ids.into_iter().map(ProductId).collect())
    }

    async fn checked_counts(&mut self) -> StoreResult<(i64, i64, i64)> {
        self.count_books().await
    }

    async fn orders_with_wrong_reservation(&mut self) -> StoreResult<Vec<String>> {
        self.find_wrong_holds().await
    }

    async fn orders_not_matching_ledger(&mut self) -> StoreResult<Vec<String>> {
        self.find_orders_beside_ledger().await
    }

    async fn orders_with_wrong_payment(&mut self) -> StoreResult<Vec<String>> {
        self.find_wrongly_paid().await
    }
}

#[async_trait]
impl WriteOrders for SqlRepository<'_> {
    async fn lock_products(&mut self, ids: &[ProductId]) -> StoreResult<()> {
        if !self.is_postgres() || ids.is_empty() || self.products_locked {
            return Ok(());
        }
        self.products_locked = true;
        let text = format!(
            "select id from products where id in ({}) order by id for update",
            placeholders(1, ids.len())
        );
        let ids = ids.iter().map(|id| &id.0);
        let held = self.fetch_all::<String>(ids.fold(query(text), Query::bind));
        held.await.map(drop)
    }

    async fn lock_cart_products(
        &mut self,
        user: &UserId,
    ) -> StoreResult<Vec<(CartLine, Option<Product>)>> {
        self.find_cart_goods(user).await
    }

    async fn lock_attempt_with_order(
        &mut self,
        merchant_order_id: &str,
    ) -> StoreResult<Option<AttemptWithOrder>> {
        self.find_settling(merchant_order_id, true).await
    }

    async fn begin_checkout(
        &mut self,
        user: &UserId,
        address_id: &str,
        key: Option<&str>,
    ) -> StoreResult<(Option<SavedAddress>, Vec<ResumableOrder>)> {
        self.find_to_check_out(user, address_id, key).await
    }

    async fn reserve_stock(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        now_ms: i64,
    ) -> StoreResult<()> {
        self.take_held_goods(order_id, lines, now_ms).await
    }

    async fn apply_stock_movement(
        &mut self,
        order_id: &str,
        lines: &[OrderLine],
        which: StockMovement,
        now_ms: i64,
    ) -> StoreResult<Option<Vec<(ProductId, Stock)>>> {
        self.move_goods(order_id, lines, which, now_ms).await
    }

    async fn insert_order(&mut self, order: &Order) -> StoreResult<()> {
        let address = serde_json::to_string(&order.address)
            .map_err(|error| StoreError::Broken(error.into()))?;
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
                .bind(order.updated_at_ms),
        )
        .await?;
        let rows: Vec<_> = (0..order.lines.len())
            .map(|at| format!("({})", placeholders(at * 10 + 1, 10)))
            .collect();
        let text = format!(
            "insert into order_lines (order_id, line, product_id, product_name, image, qty_50g, qty_100g, price_50g, price_100g, line_total) values {}",
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
                .bind(line.total.get());
        }
        self.execute_deferred(insert).await
    }

    async fn lock_order(&mut self, id: &str) -> StoreResult<()> {
        if self.is_postgres() {
            self.fetch_optional::<String>(query(SqlRepository::FOR_UPDATE_ORDER).bind(id))
                .await?;
        }
        Ok(())
    }

    async fn save_order_state(
        &mut self,
        order_id: &str,
        settlement: OrderState,
        error: Option<&str>,
        paid_by: Option<&str>,
        now_ms: i64,
    ) -> StoreResult<()> {
        self.execute_deferred(
            query(SAVE_SETTLEMENT)
                .bind(order_id)
                .bind(settlement.payment_status.as_str())
                .bind(settlement.order_status.as_str())
                .bind(settlement.stock_reserved)
                .bind(error)
                .bind(paid_by)
                .bind(now_ms)
                .bind(settlement.end_reason.map(EndReason::as_str)),
        )
        .await
    }

    async fn insert_idempotency_key(
        &mut self,
        user: &UserId,
        key: &str,
        body_hash: &str,
        order_id: &str,
        now_ms: i64,
    ) -> StoreResult<()> {
        const INSERT: &str = "insert into idempotency_keys (user_id, key, body_hash, order_id, created_at) values ($1, $2, $3, $4, $5)";
        self.execute_deferred(
            query(INSERT)
                .bind(&user.0)
                .bind(key)
                .bind(body_hash)
                .bind(order_id)
                .bind(now_ms),
        )
        .await
    }

    async fn delete_idempotency_keys(&mut self, order_id: &str) -> StoreResult<()> {
        self.execute_deferred(
            query("delete from idempotency_keys where order_id = $1").bind(order_id),
        )
        .await
    }

    async fn remove_ordered_from_cart(
        &mut self,
        user: &UserId,
        lines: &[OrderLine],
    ) -> StoreResult<()> {
        self.take_bought(user, lines).await
    }

    async fn set_order_status(
        &mut self,
        id: &str,
        status: OrderStatus,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const SET: &str = "update orders set order_status = $2, updated_at = $3 where id = $1 and deleted_at is null";
        Ok(self
            .execute(query(SET).bind(id).bind(status.as_str()).bind(now_ms))
            .await?
            > 0)
    }

    async fn delete_order(&mut self, id: &str, now_ms: i64) -> StoreResult<bool> {
        Ok(self
            .execute(
                query("update orders set deleted_at = $2 where id = $1 and deleted_at is null")
                    .bind(id)
                    .bind(now_ms),
            )
            .await?
            > 0)
    }

    async fn insert_attempt(
        &mut self,
        attempt: &PaymentAttempt,
        next_look_at_ms: i64,
    ) -> StoreResult<()> {
        self.write_attempt(attempt, next_look_at_ms).await
    }

    async fn set_current_attempt(
        &mut self,
        order_id: &str,
        merchant_order_id: &str,
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

    async fn open_attempt(
        &mut self,
        merchant_order_id: &str,
        redirect_url: &str,
        gateway_order_id: &str,
        expires_at_ms: i64,
    ) -> StoreResult<bool> {
        self.show_attempt(
            merchant_order_id,
            redirect_url,
            gateway_order_id,
            expires_at_ms,
        )
        .await
    }

    async fn close_attempt(
        &mut self,
        merchant_order_id: &str,
        state: PaymentAttemptState,
        mode: Option<&str>,
        transaction_id: Option<&str>,
    ) -> StoreResult<()> {
        self.attempt_closed(merchant_order_id, state, mode, transaction_id)
            .await
    }

    async fn lease_attempts(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<PaymentAttempt>> {
        self.due_attempts(now_ms, until_ms, most).await
    }

    async fn schedule_poll(
        &mut self,
        merchant_order_id: &str,
        polled_at_ms: i64,
        next_look_at_ms: i64,
    ) -> StoreResult<()> {
        self.next_look(merchant_order_id, polled_at_ms, next_look_at_ms)
            .await
    }

    async fn insert_refund(&mut self, refund: &Refund, now_ms: i64) -> StoreResult<bool> {
        self.write_refund(refund, now_ms).await
    }

    async fn lease_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<Refund>> {
        self.due_refunds(now_ms, until_ms, most).await
    }

    async fn update_refund(
        &mut self,
        id: &str,
        state: &str,
        next_look_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool> {
        self.refund_looked_at(id, state, next_look_at_ms, now_ms)
            .await
    }

    async fn schedule_refund_now(&mut self, id: &str, now_ms: i64) -> StoreResult<()> {
        self.refund_due_now(id, now_ms).await
    }

    async fn insert_email(&mut self, mail: &OutboxEmail) -> StoreResult<()> {
        self.write_mail(mail).await
    }

    async fn lease_emails(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        most: i64,
    ) -> StoreResult<Vec<OutboxEmail>> {
        self.due_mails(now_ms, until_ms, most).await
    }

    async fn mark_emails_sent(&mut self, ids: &[String], now_ms: i64) -> StoreResult<()> {
        self.letters_gone(ids, now_ms).await
    }

    async fn mark_email_failed(
        &mut self,
        id: &str,
        error: &str,
        next_try_at_ms: i64,
    ) -> StoreResult<()> {
        self.letter_failed(id, error, next_try_at_ms).await
    }

    async fn open_issue(&mut self, concern: &OrderIssue) -> StoreResult<()> {
        self.write_concern(concern).await
    }

    async fn resolve_issue(&mut self, id: &str, now_ms: i64) -> StoreResult<bool> {
        self.concern_settled(id, now_ms).await
    }
}
