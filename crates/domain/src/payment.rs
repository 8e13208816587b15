//! Payment attempts, and how often the gateway is polled for their state.

pub use crate::id::AttemptId;
use crate::id::OrderId;
use crate::money::Paise;

impl AttemptId {
    /// From a UUID.
    pub fn from_unique(id: &str) -> AttemptId {
        AttemptId(format!("M{}", id.replace('-', "")))
    }
}

/// The smallest amount that the gateway accepts.
pub const MIN_PAYMENT: Paise = Paise::new(100);

/// One payment page at the gateway, with its own merchant order id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentAttempt {
    pub merchant_order_id: AttemptId,
    pub order_id: OrderId,
    pub amount: Paise,
    pub state: PaymentAttemptState,
    pub redirect_url: Option<String>,
    pub expires_at_ms: i64,
    pub created_at_ms: i64,
    pub polled_at_ms: i64,
}

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PaymentAttemptState {
        /// Stored; the gateway has not responded yet.
        Opening = "opening",
        Open = "open",
        Completed = "completed",
        Failed = "failed",
    }
}

/// Seconds until the next poll, by the age of the attempt in seconds. The schedule is the one that PhonePe specifies.
pub fn poll_delay_s(age_s: i64) -> i64 {
    match age_s {
        ..22 => 22 - age_s.max(0),
        22..52 => 3,
        52..112 => 6,
        112..172 => 10,
        172..232 => 30,
        _ => 60,
    }
}

/// The same for an attempt whose order has ended or has a newer attempt. No customer waits for it, and the gateway's
/// webhook reports a payment at once. Polling only finds payments whose webhook was lost.
pub fn poll_delay_after_end_s(age_s: i64) -> i64 {
    if age_s < 30 * 60 { 5 * 60 } else { 60 * 60 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ages, in seconds, at which an attempt is polled.
    fn poll_ages_s(minutes: i64, delay_s: impl Fn(i64) -> i64) -> Vec<i64> {
        let mut ages_s = Vec::new();
        let mut age_s = 0;
        while age_s <= minutes * 60 {
            age_s += delay_s(age_s);
            ages_s.push(age_s);
        }
        ages_s
    }

    #[test]
    fn attempt_of_an_ended_order_is_polled_less_often() {
        assert_eq!(poll_ages_s(15, poll_delay_s).len(), 41);
        assert_eq!(poll_ages_s(15, poll_delay_after_end_s).len(), 4);
        let polls_per_day = poll_ages_s(24 * 60, poll_delay_after_end_s).len();
        assert!((25..=31).contains(&polls_per_day), "{polls_per_day}");
    }

    #[test]
    fn poll_delay_follows_the_schedule_of_phonepe() {
        let ages_s = poll_ages_s(6, poll_delay_s);
        assert_eq!(ages_s[0], 22);
        let in_first_phase = ages_s.iter().filter(|age_s| (22..=52).contains(*age_s));
        assert_eq!(in_first_phase.count(), 11);
        assert!(ages_s.windows(2).all(|pair| pair[1] > pair[0]));
        assert_eq!(poll_delay_s(3600), 60);
    }
}
