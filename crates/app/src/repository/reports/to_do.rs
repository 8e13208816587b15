//! What waits for an admin.

use async_trait::async_trait;
use mirasa_domain::message::EmailId;
use mirasa_domain::order::OrderId;

use crate::repository::StoreResult;

/// How many of each kind there are. Each thing that waits is counted once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ToDoCounts {
    /// Paid and confirmed, not packed.
    pub to_pack: i64,
    /// Packed, without a parcel.
    pub to_ship: i64,
    /// Paid and confirmed longer ago than the shop promises to dispatch.
    pub overdue: i64,
    /// Paid, but set to pending or N/A.
    pub to_confirm: i64,
    /// Ended orders whose money was not refunded.
    pub kept_payments: i64,
    pub problems: i64,
    /// Requests of customers to cancel a packed order.
    pub cancellations: i64,
    /// Of these, those that wait for longer than a day.
    pub overdue_cancellations: i64,
    pub failed_refunds: i64,
    /// Order issues that are not counted above, and neither as parcels nor as emails.
    pub issues: i64,
    /// Unread ones.
    pub messages: i64,
    /// Not sent after several attempts.
    pub failed_emails: i64,
    /// Parcels whose step fails, and returned and lost ones to decide about.
    pub parcels: i64,
    pub unscanned_parcels: i64,
    /// With grams left that may not be sent any more.
    pub old_batches: i64,
}

/// An email that could not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedEmail {
    pub id: EmailId,
    pub order_id: Option<OrderId>,
    pub recipient: String,
    pub subject: String,
    pub attempts: i64,
    pub error: String,
    pub created_at_ms: i64,
    pub next_attempt_at_ms: i64,
}

/// The limits of what is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToDoLimits {
    /// Orders that were placed before are overdue.
    pub overdue_before_ms: i64,
    /// Requests to cancel that were made before are overdue.
    pub cancellations_before_ms: i64,
    /// Parcels whose last scan was before need a question to the courier.
    pub unscanned_before_ms: i64,
    /// Batches that are best before an earlier day may not be sent.
    pub min_best_before: i64,
}

#[async_trait]
pub trait ToDoQueries: Send {
    async fn to_do_counts(&mut self, limits: ToDoLimits) -> StoreResult<ToDoCounts>;
    /// The newest first.
    async fn failed_emails(&mut self, limit: i64) -> StoreResult<Vec<FailedEmail>>;
}
