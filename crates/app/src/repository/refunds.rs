//! Refunds. Workers lease them.

use async_trait::async_trait;
use mirasa_domain::refund::{Refund, RefundStatus};

use crate::repository::StoreResult;

#[async_trait]
pub trait RefundRepository: Send {
    /// False if the attempt already has a refund.
    async fn insert_refund(&mut self, refund: &Refund, now_ms: i64) -> StoreResult<bool>;
    async fn lease_refunds(
        &mut self,
        now_ms: i64,
        until_ms: i64,
        limit: i64,
    ) -> StoreResult<Vec<Refund>>;
    /// False if the refund already has a final status.
    async fn update_refund(
        &mut self,
        id: &str,
        status: RefundStatus,
        next_poll_at_ms: i64,
        now_ms: i64,
    ) -> StoreResult<bool>;
    /// Makes a pending refund due now.
    async fn schedule_refund_now(&mut self, id: &str, now_ms: i64) -> StoreResult<()>;
}
