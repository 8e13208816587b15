//! Refunds. Workers lease them.

use async_trait::async_trait;
use mirasa_domain::order::OrderId;
use mirasa_domain::refund::{Refund, RefundId, RefundStatus};

use crate::repository::StoreResult;

#[async_trait]
pub trait RefundQueries: Send {
    async fn refund(&mut self, id: &RefundId) -> StoreResult<Option<Refund>>;
    /// All refunds of these orders, oldest first.
    async fn refunds_of(&mut self, order_ids: &[OrderId]) -> StoreResult<Vec<Refund>>;
}

#[async_trait]
pub trait RefundRepository: Send {
    /// False if there is a refund with this id.
    async fn insert_refund(&mut self, refund: &Refund) -> StoreResult<bool>;
    async fn lease_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<Refund>>;
    /// False if the refund already has a final status.
    async fn update_refund(
        &mut self,
        id: &RefundId,
        status: RefundStatus,
        error: Option<&str>,
        next_poll_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    /// Whether packs of a new refund had been replaced.
    async fn set_refund_repeated(&mut self, id: &RefundId, repeated: bool) -> StoreResult<()>;
    /// Marks failed refunds as replaced by another one. Problems that they were for are settled by the other one.
    async fn supersede_refunds(&mut self, ids: &[RefundId], by: &RefundId) -> StoreResult<()>;
    /// Makes a pending refund due now.
    async fn schedule_refund_now(&mut self, id: &RefundId, now_ms: i64) -> StoreResult<()>;
}
