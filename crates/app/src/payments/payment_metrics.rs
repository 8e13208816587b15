//! The metric of payments.

use mirasa_domain::end_reason::EndReason;

/// The label of the metric for a payment without success.
pub(super) fn failure_result(reason: EndReason) -> &'static str {
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
