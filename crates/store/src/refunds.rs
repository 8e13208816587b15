//! Refunds. Workers lease them.

use async_trait::async_trait;
use mirasa_app::repository::refunds::RefundRepository;
use mirasa_app::repository::{StoreError, StoreResult};
use mirasa_domain::money::Paise;
use mirasa_domain::refund::{Refund, RefundStatus};

use crate::engine::SqlRepository;
use crate::query::query;
use crate::row::row;

row! {
    struct RefundRow {
        id: String,
        merchant_order_id: String,
        order_id: String,
        amount: i64,
        reason: String,
        state: String,
        looks: i64,
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
            poll_count: self.looks,
        })
    }
}

/// The outer condition is checked again once a row is locked, so two workers never lease the same row.
const LEASE_REFUNDS: &str = "update refunds set leased_until = $2 where leased_until <= $1 and next_look_at <= $1
    and state in ('wanted', 'pending') and id in
    (select id from refunds where state in ('wanted', 'pending') and next_look_at <= $1 and leased_until <= $1
    order by next_look_at limit $3) returning *";

#[async_trait]
impl RefundRepository for SqlRepository<'_> {
    async fn insert_refund(&mut self, refund: &Refund, now_ms: i64) -> StoreResult<bool> {
        const INSERT: &str = "insert into refunds (id, merchant_order_id, order_id, amount, reason, state, created_at, updated_at, next_look_at,
            looks, leased_until) values ($1, $2, $3, $4, $5, $6, $7, $7, $7, 0, 0) on conflict (merchant_order_id) do nothing";
        let written = self
            .execute(
                query(INSERT)
                    .bind(&refund.id)
                    .bind(&refund.merchant_order_id)
                    .bind(&refund.order_id)
                    .bind(refund.amount.get())
                    .bind(&refund.reason)
                    .bind(refund.status.as_str())
                    .bind(now_ms),
            )
            .await?;
        Ok(written > 0)
    }

    async fn lease_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<Refund>> {
        let rows = self
            .fetch_all::<RefundRow>(query(LEASE_REFUNDS).bind(now_ms).bind(until_ms).bind(limit))
            .await?;
        rows.into_iter().map(RefundRow::into_refund).collect()
    }

    async fn update_refund(
        &mut self,
        id: &str,
        status: RefundStatus,
        next_poll_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const SAVE: &str = "update refunds set state = $2, next_look_at = $3, updated_at = $4, looks = looks + 1, leased_until = 0
            where id = $1 and state in ('wanted', 'pending')";
        Ok(self
            .execute(
                query(SAVE)
                    .bind(id)
                    .bind(status.as_str())
                    .bind(next_poll_at_ms)
                    .bind(now_ms),
            )
            .await?
            > 0)
    }

    async fn schedule_refund_now(&mut self, id: &str, now_ms: i64) -> StoreResult<()> {
        const SCHEDULE: &str = "update refunds set next_look_at = $2 where id = $1 and state in ('wanted', 'pending') and next_look_at > $2";
        self.execute_deferred(query(SCHEDULE).bind(id).bind(now_ms))
            .await
    }
}
