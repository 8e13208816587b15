//! Payment attempts.

use crate::money::Paise;

/// One attempt at paying an order, under a number of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentAttempt {
    pub merchant_order_id: String,
    pub order_id: String,
    pub amount: Paise,
    pub state: PaymentAttemptState,
    pub redirect_url: Option<String>,
    pub expires_at_ms: i64,
    pub created_at_ms: i64,
    pub polled_at_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaymentAttemptState {
    /// Written down, the gateway not heard from yet.
    Opening,
    Open,
    Completed,
    Failed,
}

impl PaymentAttemptState {
    pub const ALL: [PaymentAttemptState; 4] = [
        PaymentAttemptState::Opening,
        PaymentAttemptState::Open,
        PaymentAttemptState::Completed,
        PaymentAttemptState::Failed,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            PaymentAttemptState::Opening => "opening",
            PaymentAttemptState::Open => "open",
            PaymentAttemptState::Completed => "completed",
            PaymentAttemptState::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<PaymentAttemptState> {
        PaymentAttemptState::ALL
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}
