//! Refunds. Workers lease them.

use std::collections::HashMap;

use async_trait::async_trait;
use mirasa_app::repository::refunds::{RefundQueries, RefundRepository};
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::invoice::InvoiceId;
use mirasa_domain::money::Paise;
use mirasa_domain::order::OrderId;
use mirasa_domain::order_event::Actor;
use mirasa_domain::pack::Packs;
use mirasa_domain::payment::AttemptId;
use mirasa_domain::product::ProductId;
use mirasa_domain::refund::{Refund, RefundId, RefundLine, RefundStatus};

use crate::sql::engine::{SqlRepository, placeholders, to_u32};
use crate::sql::query::{Query, query};
use crate::sql::row::row;

row! {
    struct RefundRow {
        id: RefundId,
        merchant_order_id: AttemptId,
        order_id: OrderId,
        amount: i64,
        reason: String,
        state: String,
        created_at: i64,
        updated_at: i64,
        looks: i64,
        requested_by: String,
        retry_of: Option<RefundId>,
        superseded_by: Option<RefundId>,
        error: Option<String>,
        deducted_from: Option<InvoiceId>,
    }
}

row! {
    struct RefundLineRow {
        refund_id: RefundId,
        product_id: String,
        qty_50g: i64,
        qty_100g: i64,
        amount: i64,
    }
}

impl RefundRow {
    fn into_refund(self) -> StoreResult<Refund> {
        let status = RefundStatus::parse(&self.state).ok_or_else(|| {
            StoreError::Broken(anyhow::anyhow!("refund {} is {}", self.id, self.state))
        })?;
        Ok(Refund {
            id: self.id,
            merchant_order_id: self.merchant_order_id,
            order_id: self.order_id,
            amount: Paise::new(self.amount),
            reason: self.reason,
            status,
            requested_by: Actor::parse(&self.requested_by),
            retry_of: self.retry_of,
            superseded_by: self.superseded_by,
            error: self.error,
            deducted_from: self.deducted_from,
            lines: Vec::new(),
            poll_count: self.looks,
            created_at_ms: self.created_at,
            updated_at_ms: self.updated_at,
        })
    }
}

/// The outer conditions are for the index.
fn lease_refunds_query(skip_locked: &str) -> String {
    format!(
        "with due as (select id from refunds
            where state in ('wanted', 'pending') and next_look_at <= $1 and leased_until <= $1
            order by next_look_at limit $3 {skip_locked})
        update refunds set leased_until = $2
            where state in ('wanted', 'pending') and next_look_at <= $1 and leased_until <= $1
            and id in (select id from due) returning *"
    )
}

#[async_trait]
impl RefundQueries for SqlRepository<'_> {
    async fn refund(&mut self, id: &RefundId) -> StoreResult<Option<Refund>> {
        let find = query("select * from refunds where id = $1").bind(id);
        let row: Option<RefundRow> = self.fetch_optional(find).await?;
        Ok(self
            .with_refund_lines(row.into_iter().collect())
            .await?
            .pop())
    }

    async fn refunds_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Refund>> {
        if order_ids.is_empty() {
            return Ok(Vec::new());
        }
        let text = format!(
            "select * from refunds where order_id in ({}) order by order_id, created_at, id",
            placeholders(1, order_ids.len())
        );
        let find = order_ids.iter().fold(query(text), Query::bind);
        let rows: Vec<RefundRow> = self.fetch_all(find).await?;
        self.with_refund_lines(rows).await
    }
}

#[async_trait]
impl RefundRepository for SqlRepository<'_> {
    async fn insert_refund(&mut self, refund: &Refund) -> StoreResult<bool> {
        const INSERT: &str = "insert into refunds (id, merchant_order_id, order_id, amount, reason, state, created_at, updated_at, next_look_at,
            looks, leased_until, requested_by, retry_of, deducted_from)
            values ($1, $2, $3, $4, $5, $6, $7, $11, $11, 0, 0, $8, $9, $10) on conflict (id) do nothing";
        let written = self
            .execute(
                query(INSERT)
                    .bind(&refund.id)
                    .bind(&refund.merchant_order_id)
                    .bind(&refund.order_id)
                    .bind(refund.amount.get())
                    .bind(&refund.reason)
                    .bind(refund.status.as_str())
                    .bind(refund.created_at_ms)
                    .bind(refund.requested_by.as_str())
                    .bind(&refund.retry_of)
                    .bind(&refund.deducted_from)
                    .bind(refund.updated_at_ms),
            )
            .await?;
        if written == 0 {
            return Ok(false);
        }
        for line in &refund.lines {
            const INSERT_LINE: &str = "insert into refund_lines (refund_id, product_id, qty_50g, qty_100g, amount) values ($1, $2, $3, $4, $5)";
            let insert = query(INSERT_LINE)
                .bind(&refund.id)
                .bind(&line.product.0)
                .bind(i64::from(line.packs.of_50g))
                .bind(i64::from(line.packs.of_100g))
                .bind(line.amount.get());
            self.execute_deferred(insert).await?;
        }
        Ok(true)
    }

    async fn lease_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<Refund>> {
        let lease = query(lease_refunds_query(self.skip_locked()))
            .bind(now_ms)
            .bind(until_ms)
            .bind(limit);
        let rows = self.fetch_all::<RefundRow>(lease).await?;
        rows.into_iter().map(RefundRow::into_refund).collect()
    }

    async fn update_refund(
        &mut self,
        id: &RefundId,
        status: RefundStatus,
        error: Option<&str>,
        next_poll_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const SAVE: &str = "update refunds set state = $2, next_look_at = $3, updated_at = $4, looks = looks + 1, leased_until = 0, error = $5
            where id = $1 and state in ('wanted', 'pending')";
        Ok(self
            .execute(
                query(SAVE)
                    .bind(id)
                    .bind(status.as_str())
                    .bind(next_poll_at_ms)
                    .bind(now_ms)
                    .bind(error),
            )
            .await?
            > 0)
    }

    async fn set_refund_repeated(&mut self, id: &RefundId, repeated: bool) -> StoreResult<()> {
        let set = query("update refunds set repeated = $2 where id = $1");
        self.execute_deferred(set.bind(id).bind(repeated)).await
    }

    async fn supersede_refunds(&mut self, ids: &[RefundId], by: &RefundId) -> StoreResult<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let text = format!(
            "update refunds set superseded_by = $1 where state = 'failed' and id in ({})",
            placeholders(2, ids.len())
        );
        self.execute_deferred(ids.iter().fold(query(text).bind(by), Query::bind))
            .await?;
        let text = format!(
            "update order_problems set refund_id = $1 where refund_id in ({})",
            placeholders(2, ids.len())
        );
        self.execute_deferred(ids.iter().fold(query(text).bind(by), Query::bind))
            .await
    }

    async fn schedule_refund_now(&mut self, id: &RefundId, now_ms: i64) -> StoreResult<()> {
        const SCHEDULE: &str = "update refunds set next_look_at = $2 where id = $1 and state in ('wanted', 'pending') and next_look_at > $2";
        self.execute_deferred(query(SCHEDULE).bind(id).bind(now_ms))
            .await
    }
}

impl SqlRepository<'_> {
    /// The lines of all refunds are read in one statement.
    async fn with_refund_lines(&mut self, rows: Vec<RefundRow>) -> StoreResult<Vec<Refund>> {
        let mut refunds = rows
            .into_iter()
            .map(RefundRow::into_refund)
            .collect::<StoreResult<Vec<_>>>()?;
        if refunds.is_empty() {
            return Ok(refunds);
        }
        let text = format!(
            "select * from refund_lines where refund_id in ({}) order by refund_id, product_id",
            placeholders(1, refunds.len())
        );
        let ids = refunds.iter().map(|refund| &refund.id);
        let lines: Vec<RefundLineRow> = self.fetch_all(ids.fold(query(text), Query::bind)).await?;
        let mut by_refund = HashMap::<RefundId, Vec<RefundLine>>::new();
        for line in lines {
            by_refund
                .entry(line.refund_id)
                .or_default()
                .push(RefundLine {
                    product: ProductId(line.product_id),
                    packs: Packs {
                        of_50g: to_u32(line.qty_50g),
                        of_100g: to_u32(line.qty_100g),
                    },
                    amount: Paise::new(line.amount),
                });
        }
        for refund in &mut refunds {
            refund.lines = by_refund.remove(&refund.id).unwrap_or_default();
        }
        Ok(refunds)
    }
}
