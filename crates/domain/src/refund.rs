//! Refunds of payments.

use crate::money::Paise;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundStatus {
    /// Recorded, not yet accepted by the gateway.
    Requested,
    /// The gateway is working on it.
    Pending,
    Completed,
    Failed,
}

impl RefundStatus {
    pub const ALL: [RefundStatus; 4] = [
        RefundStatus::Requested,
        RefundStatus::Pending,
        RefundStatus::Completed,
        RefundStatus::Failed,
    ];

    /// As it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            RefundStatus::Requested => "wanted",
            RefundStatus::Pending => "pending",
            RefundStatus::Completed => "completed",
            RefundStatus::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<RefundStatus> {
        RefundStatus::ALL
            .into_iter()
            .find(|status| status.as_str() == text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: String,
    /// The payment attempt that is refunded.
    pub merchant_order_id: String,
    pub order_id: String,
    pub amount: Paise,
    pub reason: String,
    pub status: RefundStatus,
    pub poll_count: i64,
}
