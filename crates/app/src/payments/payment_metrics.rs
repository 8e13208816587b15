//! The metric of payments.

use mirasa_domain::end_reason::EndReason;
use mirasa_domain::settlement::OrderChange;

/// The label of the metric, if the payment has reached a result.
pub(super) fn settlement_result(change: &OrderChange) -> Option<&'static str> {
    match change {
        OrderChange::Nothing => None,
        OrderChange::Complete => Some("completed"),
        OrderChange::CompleteLate => Some("late"),
        OrderChange::End(end) => Some(failure_result(end.reason)),
        OrderChange::Refund(_) => Some("refunded"),
        OrderChange::ReportMismatch { .. } => Some("amount_mismatch"),
    }
}

/// The label for a payment without success.
fn failure_result(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Expired => "expired",
        EndReason::NotStarted => "not_started",
        EndReason::AmountMismatch => "amount_mismatch",
        _ => "declined",
    }
}

/// Counts a payment that has reached a result. Called after the commit: a transaction may run several times.
pub(super) fn count_payment(result: &'static str) {
    metrics::counter!("payments_total", "result" => result).increment(1);
}
