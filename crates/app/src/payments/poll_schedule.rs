//! When a payment without a final state is polled again, and for how long.

use mirasa_domain::payment::{
    PaymentAttempt, PaymentAttemptState, poll_delay_after_end_s, poll_delay_s,
};

use crate::ports::payment::{GatewayPayment, GatewayPaymentState};
use crate::repository::payments::LeasedAttempt;

/// An attempt that is still pending this long after its payment page has expired is abandoned.
pub(super) const EXPIRY_GRACE_MS: i64 = 60_000;
/// Longer if the gateway does not respond: the payment may well have been made.
pub(super) const NO_RESPONSE_GRACE_MS: i64 = 30 * 60_000;
/// An abandoned order is still polled for this long, so that a late payment is found even if its webhook is lost.
pub(super) const LATE_PAYMENT_WINDOW_MS: i64 = 3 * 24 * 60 * 60_000;

/// The result of polling the gateway for an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PollOutcome {
    Payment(GatewayPayment),
    /// The gateway does not know the attempt.
    NotFound,
    NoResponse,
}

impl From<Option<GatewayPayment>> for PollOutcome {
    fn from(payment: Option<GatewayPayment>) -> PollOutcome {
        payment.map_or(PollOutcome::NotFound, PollOutcome::Payment)
    }
}

pub(super) fn next_delay_s(attempt: &PaymentAttempt, is_waited_for: bool, now_ms: i64) -> i64 {
    let age_s = (now_ms - attempt.created_at_ms) / 1000;
    if is_waited_for {
        poll_delay_s(age_s)
    } else {
        poll_delay_after_end_s(age_s)
    }
}

/// When to poll again, if nothing else is to be done. Otherwise the attempt must be settled. If the order has ended since
/// the attempt was leased, the next poll is earlier than it need be.
pub(super) fn reschedule_delay_s(
    leased: &LeasedAttempt,
    outcome: &PollOutcome,
    now_ms: i64,
) -> Option<i64> {
    let attempt = &leased.attempt;
    let is_pending = match outcome {
        PollOutcome::Payment(payment) => payment.state == GatewayPaymentState::Pending,
        PollOutcome::NotFound => !is_orphaned(attempt, now_ms),
        PollOutcome::NoResponse => true,
    };
    let wait_ms = if leased.is_waited_for {
        EXPIRY_GRACE_MS
    } else {
        LATE_PAYMENT_WINDOW_MS
    };
    let is_over = now_ms > attempt.expires_at_ms + wait_ms;
    (is_pending && !is_over).then(|| next_delay_s(attempt, leased.is_waited_for, now_ms))
}

/// The gateway does not know the attempt, and the request that should have created it has ended.
pub(super) fn is_orphaned(attempt: &PaymentAttempt, now_ms: i64) -> bool {
    match attempt.state {
        PaymentAttemptState::Opening => now_ms > attempt.created_at_ms + EXPIRY_GRACE_MS,
        _ => now_ms > attempt.expires_at_ms + EXPIRY_GRACE_MS,
    }
}
