//! What staff write down about an order. Only admins see it.

use crate::id::OrderId;

pub const MAX_NOTE_CHARS: usize = 2000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderNote {
    pub id: String,
    pub order_id: OrderId,
    pub at_ms: i64,
    /// The admin's email.
    pub author: String,
    pub text: String,
}
