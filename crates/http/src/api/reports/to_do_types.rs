//! What waits for an admin.

use mirasa_app::reports::to_do::ToDo;
use mirasa_app::repository::reports::to_do::FailedEmail;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::types::to_iso8601;

/// How many of each kind wait for an admin. Each thing is counted once, but for the two that are overdue.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToDoResponse {
    /// Paid orders that are not packed.
    pub to_pack: i64,
    /// Packed orders without a parcel.
    pub to_ship: i64,
    /// Paid orders that were placed more than seven days ago and are not shipped.
    pub overdue: i64,
    /// Paid orders without a decision: their status is pending or N/A, or they are confirmed with nothing left to send, and
    /// their money is kept.
    pub to_confirm: i64,
    /// Cancelled or deleted orders whose money was not refunded.
    pub kept_payments: i64,
    /// Problems that customers reported.
    pub problems: i64,
    /// Requests of customers to cancel a packed order.
    pub cancellations: i64,
    /// Of these, those that wait for longer than a day.
    pub overdue_cancellations: i64,
    pub failed_refunds: i64,
    /// Order issues that are not counted as kept payments, failed refunds, parcels or emails.
    pub issues: i64,
    /// Unread ones.
    pub messages: i64,
    /// Products that run out.
    pub low_stock: i64,
    /// Batches with grams left that are too old to be sent.
    pub old_batches: i64,
    /// Emails that could not be sent after several attempts.
    pub failed_emails: i64,
    /// Parcels that need help or a decision.
    pub parcels: i64,
    /// Parcels that the courier has not scanned for `unscannedDays` days.
    pub unscanned_parcels: i64,
    pub unscanned_days: u32,
    /// Whether parcels are shipped with a delivery partner.
    pub has_partner: bool,
}

impl ToDoResponse {
    pub fn new(to_do: ToDo, unscanned_days: u32, has_partner: bool) -> ToDoResponse {
        let counts = to_do.counts;
        ToDoResponse {
            to_pack: counts.to_pack,
            to_ship: counts.to_ship,
            overdue: counts.overdue,
            to_confirm: counts.to_confirm,
            kept_payments: counts.kept_payments,
            problems: counts.problems,
            cancellations: counts.cancellations,
            overdue_cancellations: counts.overdue_cancellations,
            failed_refunds: counts.failed_refunds,
            issues: counts.issues,
            messages: counts.messages,
            low_stock: to_do.low_stock,
            old_batches: counts.old_batches,
            failed_emails: counts.failed_emails,
            parcels: counts.parcels,
            unscanned_parcels: counts.unscanned_parcels,
            unscanned_days,
            has_partner,
        }
    }
}

/// An email that could not be sent. It is still tried, once an hour.
#[derive(Serialize, ToSchema)]
#[schema(as = FailedEmail)]
#[serde(rename_all = "camelCase")]
pub struct FailedEmailDto {
    #[serde(rename = "_id")]
    pub id: String,
    #[schema(required)]
    pub order_id: Option<String>,
    pub recipient: String,
    pub subject: String,
    pub attempts: i64,
    /// What the mail server said.
    pub error: String,
    pub created_at: String,
    pub next_attempt_at: String,
}

impl From<FailedEmail> for FailedEmailDto {
    fn from(email: FailedEmail) -> FailedEmailDto {
        FailedEmailDto {
            id: email.id.0,
            order_id: email.order_id.map(|id| id.0),
            recipient: email.recipient,
            subject: email.subject,
            attempts: email.attempts,
            error: email.error,
            created_at: to_iso8601(email.created_at_ms),
            next_attempt_at: to_iso8601(email.next_attempt_at_ms),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct FailedEmailsResponse {
    /// The newest first.
    pub emails: Vec<FailedEmailDto>,
}
