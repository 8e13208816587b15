//! Issues that an admin must resolve.

use async_trait::async_trait;
use mirasa_domain::issue::{IssueGroup, IssueId, IssueKind, OrderIssue};
use mirasa_domain::order::OrderId;
use mirasa_domain::refund::RefundId;
use mirasa_domain::shipment::ShipmentId;

use crate::repository::StoreResult;

/// An issue that is not settled, and where the list of what is to do counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenIssue {
    pub issue: OrderIssue,
    pub group: IssueGroup,
}

#[async_trait]
pub trait IssueQueries: Send {
    async fn open_issues(&mut self) -> StoreResult<Vec<OpenIssue>>;
    async fn open_issue_by_id(&mut self, id: &IssueId) -> StoreResult<Option<OrderIssue>>;
    async fn open_issue_about(
        &mut self,
        kind: IssueKind,
        order_id: &OrderId,
    ) -> StoreResult<Option<OrderIssue>>;
}

#[async_trait]
pub trait IssueRepository: Send {
    /// Opens one issue for each kind and subject. A repetition has no effect.
    async fn open_issue(&mut self, issue: &OrderIssue) -> StoreResult<()>;
    /// Opens the issue, also if it was resolved by the shop's own rules. An open one gets the new detail. One that an
    /// admin has settled stays settled.
    async fn keep_issue_open(&mut self, issue: &OrderIssue) -> StoreResult<()>;
    /// Its cause is gone, also if an admin has settled it: the next cause opens it again.
    async fn forget_issue_about(
        &mut self,
        kind: IssueKind,
        order_id: &OrderId,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// An admin settles it. The reason may be empty.
    async fn resolve_issue(&mut self, id: &IssueId, reason: &str, now_ms: i64)
    -> StoreResult<bool>;
    /// Resolves the issue of this kind and subject, if it is open.
    async fn resolve_issue_about(
        &mut self,
        kind: IssueKind,
        shipment_id: &ShipmentId,
        now_ms: i64,
    ) -> StoreResult<()>;
    /// The same for many subjects.
    async fn resolve_issues_about(
        &mut self,
        kind: IssueKind,
        refund_ids: &[RefundId],
        now_ms: i64,
    ) -> StoreResult<()>;
}
