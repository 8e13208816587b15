//! The audit log.

use async_trait::async_trait;
use mirasa_domain::audit::{AdminAction, AuditEntry};
use mirasa_domain::order::OrderId;

use crate::repository::StoreResult;

#[async_trait]
pub trait AuditQueries: Send {
    /// Newest first.
    async fn audit_log_for(&mut self, subject_id: &str) -> StoreResult<Vec<AuditEntry>>;
    /// Who did this first to each of the orders that it was done to.
    async fn first_audited(
        &mut self,
        order_ids: &[OrderId],
        action: AdminAction,
        detail: &str,
    ) -> StoreResult<Vec<(OrderId, String)>>;
}

#[async_trait]
pub trait AuditRepository: Send {
    async fn insert_audit_entry(&mut self, entry: &AuditEntry) -> StoreResult<()>;
    async fn insert_audit_entries(&mut self, entries: &[AuditEntry]) -> StoreResult<()>;
}
