//! Refunds for the tests of this crate.

use super::{Refund, RefundStatus};
use crate::money::Paise;
use crate::order_event::Actor;

/// Of the payment `M1` of the order `O1`, and for no packs.
pub(crate) fn refund(amount: Paise, status: RefundStatus) -> Refund {
    Refund {
        id: "R1".into(),
        merchant_order_id: "M1".into(),
        order_id: "O1".into(),
        amount,
        reason: String::new(),
        status,
        requested_by: Actor::System,
        retry_of: None,
        superseded_by: None,
        error: None,
        deducted_from: None,
        lines: Vec::new(),
        poll_count: 0,
        created_at_ms: 0,
        updated_at_ms: 0,
    }
}
