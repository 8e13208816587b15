//! Order issues as the browser sees them.

use mirasa_app::repository::orders::issues::OpenIssue;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::types::to_iso8601;

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ResolveIssueRequest {
    /// Required if the money of a cancelled or deleted order is kept.
    pub reason: String,
}

/// A payment or order that needs a manual review.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderIssue)]
#[serde(rename_all = "camelCase")]
pub struct OrderIssueDto {
    #[serde(rename = "_id")]
    pub id: String,
    pub order_id: String,
    pub kind: String,
    pub about: String,
    pub detail: String,
    pub created_at: String,
    /// The order is in no list then.
    pub order_deleted: bool,
    /// The count of what is to do that it is in: failedRefunds, keptPayments or issues. Empty if it is counted as something
    /// else: a failed refund of the same order, a parcel, or an email.
    pub group: String,
}

impl From<OpenIssue> for OrderIssueDto {
    fn from(OpenIssue { issue, group }: OpenIssue) -> OrderIssueDto {
        OrderIssueDto {
            id: issue.id.0,
            order_id: issue.order_id.0,
            kind: issue.kind.as_str().to_owned(),
            about: issue.subject_id,
            detail: issue.detail,
            created_at: to_iso8601(issue.created_at_ms),
            order_deleted: issue.order_is_deleted,
            group: group.as_str().to_owned(),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct OrderIssuesResponse {
    pub concerns: Vec<OrderIssueDto>,
}
