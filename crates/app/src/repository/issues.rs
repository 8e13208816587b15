//! Issues that an admin must resolve.

use async_trait::async_trait;
use mirasa_domain::issue::{IssueKind, OrderIssue};

use crate::repository::StoreResult;

#[async_trait]
pub trait IssueQueries: Send {
    async fn open_issues(&mut self) -> StoreResult<Vec<OrderIssue>>;
}

#[async_trait]
pub trait IssueRepository: Send {
    /// Opens one issue for each kind and subject. A repetition has no effect.
    async fn open_issue(&mut self, issue: &OrderIssue) -> StoreResult<()>;
    async fn resolve_issue(&mut self, id: &str, now_ms: i64) -> StoreResult<bool>;
    /// Resolves the issue of this kind and subject, if it is open.
    async fn resolve_issue_about(
        &mut self,
        kind: IssueKind,
        subject_id: &str,
        now_ms: i64,
    ) -> StoreResult<()>;
}
