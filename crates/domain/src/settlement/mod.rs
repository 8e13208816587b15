//! Settlement: what the gateway's report about a payment attempt changes, of the attempt and of its order.
//!
//! The payment of an order moves from pending to completed or failed once, whichever source reports it first. One event
//! can follow the end: a payment that arrives after the order was abandoned. Then the stock is reserved again if there is
//! enough, or the payment is refunded. If the order was ended deliberately, the payment is always refunded.

use std::fmt;

use crate::discount::NotApplicable;
use crate::end_reason::EndReason;
use crate::money::Paise;
use crate::order::{Order, PaymentStatus};
use crate::order_end::OrderEnd;
use crate::payment::{PaymentAttempt, PaymentAttemptState, poll_delay_after_end_s, poll_delay_s};

/// An attempt that is still pending this long after its payment page has expired is abandoned.
const EXPIRY_GRACE_MS: i64 = 60_000;
/// Longer if the gateway does not respond: the payment may well have been made.
const NO_RESPONSE_GRACE_MS: i64 = 30 * 60_000;
/// An abandoned order is still polled for this long, so that a late payment is found even if its webhook is lost.
const LATE_PAYMENT_WINDOW_MS: i64 = 3 * 24 * 60 * 60_000;

/// What the gateway says about an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentReport {
    /// It has received this amount.
    Paid(Paise),
    /// With its message for the customer, if it has one.
    Declined(Option<String>),
    Pending,
    /// It does not know the attempt.
    Unknown,
    NoResponse,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    pub attempt: AttemptChange,
    pub order: OrderChange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptChange {
    Nothing,
    /// It was paid with this amount, which may be wrong.
    Complete(Paise),
    /// The gateway declined it, or nobody can pay it.
    Fail,
    /// It had no result for so long that it is no longer polled.
    GiveUp,
    PollAgain {
        delay_s: i64,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderChange {
    Nothing,
    /// Confirm the order and remove the ordered packs from the cart.
    Complete,
    /// Paid after the order ended: reserve the stock again and complete the order, or refund the payment.
    CompleteLate,
    /// Cancel the order and release its stock.
    End(OrderEnd),
    Refund(RefundCause),
    /// The gateway's amount differs from the order's total. Nothing is marked as paid; an admin must decide.
    ReportMismatch {
        received: Paise,
        end: Option<OrderEnd>,
    },
}

/// Why a whole payment goes back at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundCause {
    /// The order was ended deliberately.
    Ended(EndReason),
    /// Another attempt has paid for the order.
    PaidTwice,
    /// A late payment, and others have used the discount code meanwhile.
    NoUseLeft(NotApplicable),
    /// A late payment, and others have bought the packs meanwhile.
    NoStockLeft,
}

/// What a report changes. Nothing, if the same has been settled before.
pub fn settle(
    order: &Order,
    attempt: &PaymentAttempt,
    report: PaymentReport,
    now_ms: i64,
) -> Settlement {
    let (change, order) = match (attempt.state, report) {
        (PaymentAttemptState::Completed, _) => (AttemptChange::Nothing, OrderChange::Nothing),
        (_, PaymentReport::Paid(received)) => (
            AttemptChange::Complete(received),
            settle_paid(order, attempt, received),
        ),
        // Only a payment changes a failed attempt.
        (PaymentAttemptState::Failed, _) => (AttemptChange::Nothing, OrderChange::Nothing),
        (_, PaymentReport::Declined(message)) => {
            let end = OrderEnd::declined(order.expires_at_ms, message, now_ms);
            (AttemptChange::Fail, end_unpaid(order, attempt, end))
        }
        (_, PaymentReport::Unknown) if is_orphaned(attempt, now_ms) => {
            let end = OrderEnd::new(EndReason::NotStarted);
            (AttemptChange::Fail, end_unpaid(order, attempt, end))
        }
        (_, PaymentReport::Pending | PaymentReport::Unknown) => {
            wait_or_expire(order, attempt, EXPIRY_GRACE_MS, now_ms)
        }
        (_, PaymentReport::NoResponse) => {
            wait_or_expire(order, attempt, NO_RESPONSE_GRACE_MS, now_ms)
        }
    };
    Settlement {
        attempt: change,
        order,
    }
}

fn settle_paid(order: &Order, attempt: &PaymentAttempt, received: Paise) -> OrderChange {
    let state = order.state;
    if received != state.total {
        let end = can_end(order, attempt).then(|| OrderEnd::new(EndReason::AmountMismatch));
        return OrderChange::ReportMismatch { received, end };
    }
    match (state.payment_status, state.end_reason) {
        (PaymentStatus::Pending, _) => OrderChange::Complete,
        (PaymentStatus::Failed, Some(reason)) if reason.is_deliberate() => {
            OrderChange::Refund(RefundCause::Ended(reason))
        }
        (PaymentStatus::Failed, _) => OrderChange::CompleteLate,
        (PaymentStatus::Completed, _) if has_paid(order, attempt) => OrderChange::Nothing,
        (PaymentStatus::Completed, _) => OrderChange::Refund(RefundCause::PaidTwice),
    }
}

/// The payment has no final state. After the deadline the order ends, but its attempt is still polled for some days.
fn wait_or_expire(
    order: &Order,
    attempt: &PaymentAttempt,
    grace_ms: i64,
    now_ms: i64,
) -> (AttemptChange, OrderChange) {
    let is_over = now_ms > attempt.expires_at_ms + grace_ms;
    let change = if now_ms > attempt.expires_at_ms + LATE_PAYMENT_WINDOW_MS {
        AttemptChange::GiveUp
    } else {
        let is_waited_for = is_pending_with(order, attempt) && !is_over;
        let delay_s = next_delay_s(attempt, is_waited_for, now_ms);
        AttemptChange::PollAgain { delay_s }
    };
    let order = if is_over {
        end_unpaid(order, attempt, OrderEnd::new(EndReason::Expired))
    } else {
        OrderChange::Nothing
    };
    (change, order)
}

fn end_unpaid(order: &Order, attempt: &PaymentAttempt, end: OrderEnd) -> OrderChange {
    if can_end(order, attempt) {
        OrderChange::End(end)
    } else {
        OrderChange::Nothing
    }
}

/// The packs of an order that has left the shop cannot go to somebody else: an admin decides about it.
fn can_end(order: &Order, attempt: &PaymentAttempt) -> bool {
    is_pending_with(order, attempt) && !order.state.order_status.has_left_shop()
}

/// An older attempt does not end its order: the customer may be paying with the newest.
fn is_pending_with(order: &Order, attempt: &PaymentAttempt) -> bool {
    order.state.payment_status == PaymentStatus::Pending
        && order.merchant_order_id == attempt.merchant_order_id
}

fn has_paid(order: &Order, attempt: &PaymentAttempt) -> bool {
    order.paid_by_attempt.as_ref() == Some(&attempt.merchant_order_id)
}

/// Seconds until the next poll, if that is all that there is to do: then many attempts are rescheduled together.
/// Otherwise the attempt must be settled. `is_waited_for` was so when the attempt was leased; if the order has ended since,
/// the next poll is earlier than it need be.
pub fn only_delay_s(
    attempt: &PaymentAttempt,
    is_waited_for: bool,
    report: &PaymentReport,
    now_ms: i64,
) -> Option<i64> {
    let is_open = match report {
        PaymentReport::Paid(_) | PaymentReport::Declined(_) => false,
        PaymentReport::Unknown => !is_orphaned(attempt, now_ms),
        PaymentReport::Pending | PaymentReport::NoResponse => true,
    };
    let wait_ms = if is_waited_for {
        EXPIRY_GRACE_MS
    } else {
        LATE_PAYMENT_WINDOW_MS
    };
    let is_over = now_ms > attempt.expires_at_ms + wait_ms;
    (is_open && !is_over).then(|| next_delay_s(attempt, is_waited_for, now_ms))
}

fn next_delay_s(attempt: &PaymentAttempt, is_waited_for: bool, now_ms: i64) -> i64 {
    let age_s = (now_ms - attempt.created_at_ms) / 1000;
    if is_waited_for {
        poll_delay_s(age_s)
    } else {
        poll_delay_after_end_s(age_s)
    }
}

/// The gateway does not know the attempt, and the request that should have created it has ended.
fn is_orphaned(attempt: &PaymentAttempt, now_ms: i64) -> bool {
    match attempt.state {
        PaymentAttemptState::Opening => now_ms > attempt.created_at_ms + EXPIRY_GRACE_MS,
        _ => now_ms > attempt.expires_at_ms + EXPIRY_GRACE_MS,
    }
}

/// For an admin, and for the reason of the refund.
impl fmt::Display for RefundCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefundCause::Ended(reason) => write!(f, "Paid after {}", what_ended(*reason)),
            RefundCause::PaidTwice => f.write_str("Paid twice"),
            RefundCause::NoUseLeft(reason) => write!(
                f,
                "Paid after the order had ended, and its code has no use left ({reason})"
            ),
            RefundCause::NoStockLeft => {
                f.write_str("Paid after the order had ended, and the goods are gone")
            }
        }
    }
}

fn what_ended(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Cancelled => "the order was cancelled",
        EndReason::CancelledByCustomer => "the customer cancelled the order",
        EndReason::Deleted => "the order was deleted",
        EndReason::AccountDeleted => "the customer's account was deleted",
        EndReason::Released => "its reserved stock was released",
        EndReason::Failed
        | EndReason::Expired
        | EndReason::Replaced
        | EndReason::NotStarted
        | EndReason::AmountMismatch => "the order had ended",
    }
}

#[cfg(test)]
mod tests;
