//! Refunds of payments.

use crate::money::Paise;
use crate::order_event::Actor;
use crate::pack::Packs;
use crate::product::ProductId;

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RefundStatus {
        /// Recorded, not yet accepted by the gateway.
        Requested = "wanted",
        /// The gateway is working on it.
        Pending = "pending",
        Completed = "completed",
        Failed = "failed",
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
    pub requested_by: Actor,
    /// The failed refund that this one repeats.
    pub retry_of: Option<String>,
    /// The refund that was requested instead of this one after it had failed. It can no longer be repeated then.
    pub superseded_by: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
    /// The invoice that was issued without its amount. Only a completed refund is deducted; earlier versions also deducted
    /// refunds that were under way.
    pub deducted_from: Option<String>,
    /// The packs that it is for. Empty if it is for a free amount.
    pub lines: Vec<RefundLine>,
    pub poll_count: i64,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
}

/// Packs of one product, and their share of the order line's total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundLine {
    pub product: ProductId,
    pub packs: Packs,
    pub amount: Paise,
}

impl Refund {
    /// Whether its amount counts as returned. A failed refund returned nothing.
    pub fn counts(&self) -> bool {
        self.status != RefundStatus::Failed
    }

    /// Whether the gateway has returned the amount.
    pub fn is_completed(&self) -> bool {
        self.status == RefundStatus::Completed
    }
}
