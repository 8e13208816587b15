//! Refunds.

use crate::money::Paise;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: String,
    pub merchant_order_id: String,
    pub order_id: String,
    pub amount: Paise,
    pub reason: String,
    pub state: String,
    pub poll_count: i64,
}
