//! Problems that a customer reports after the delivery: damage or a discrepancy.

pub use crate::id::ProblemId;
use crate::id::{OrderId, ProductId, RefundId};
use crate::ist::DAY_MS;
use crate::pack::Packs;

pub const MAX_PROBLEM_IMAGES: usize = 5;
/// How long the owner has for a decision.
const DECIDE_WITHIN_MS: i64 = 3 * DAY_MS;
/// The policy: a refund is credited within 3 to 5 days, a replacement is delivered within 7 days.
const REFUND_WITHIN_MS: i64 = 5 * DAY_MS;
const REPLACE_WITHIN_MS: i64 = 7 * DAY_MS;

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum ProblemState {
        Open = "open",
        Replaced = "replaced",
        Refunded = "refunded",
        Declined = "declined",
    }
}

/// Packs of one product that a problem is about.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ProblemLine {
    pub product: ProductId,
    pub packs: Packs,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub id: ProblemId,
    pub order_id: OrderId,
    pub message: String,
    pub lines: Vec<ProblemLine>,
    /// Names of stored images.
    pub images: Vec<String>,
    pub state: ProblemState,
    /// What the shop wrote to the customer.
    pub response: String,
    pub created_at_ms: i64,
    pub resolved_at_ms: Option<i64>,
    pub resolved_by: Option<String>,
    pub refund_id: Option<RefundId>,
    pub replacement_order_id: Option<OrderId>,
    /// Whether the admin was warned that packs had been replaced or refunded before. None: not resolved, or earlier.
    pub is_repeated: Option<bool>,
}

impl Problem {
    /// When the next step is due. A declined problem has none.
    pub fn due_at_ms(&self) -> Option<i64> {
        let resolved_at_ms = self.resolved_at_ms.unwrap_or(self.created_at_ms);
        match self.state {
            ProblemState::Open => Some(self.created_at_ms + DECIDE_WITHIN_MS),
            ProblemState::Replaced => Some(resolved_at_ms + REPLACE_WITHIN_MS),
            ProblemState::Refunded => Some(resolved_at_ms + REFUND_WITHIN_MS),
            ProblemState::Declined => None,
        }
    }
}
