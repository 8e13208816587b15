//! Refunds of payments: their states, and what the gateway's report about one changes.

pub use crate::id::RefundId;
use crate::id::{AttemptId, InvoiceId, OrderId, ProductId};
use crate::money::Paise;
use crate::order_event::Actor;
use crate::pack::Packs;

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RefundStatus {
        /// Recorded, not yet accepted by the gateway.
        Requested = "wanted",
        /// The gateway is working on it.
        Pending = "pending",
        Completed = "completed",
        Failed = "failed",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    pub id: RefundId,
    /// The payment attempt that is refunded.
    pub merchant_order_id: AttemptId,
    pub order_id: OrderId,
    pub amount: Paise,
    pub reason: String,
    pub status: RefundStatus,
    pub requested_by: Actor,
    /// The failed refund that this one repeats.
    pub retry_of: Option<RefundId>,
    /// The refund that was requested instead of this one after it had failed. It can no longer be repeated then.
    pub superseded_by: Option<RefundId>,
    /// Why it failed.
    pub error: Option<String>,
    /// The invoice that was issued without its amount. Only a completed refund is deducted; earlier versions also deducted
    /// refunds that were under way.
    pub deducted_from: Option<InvoiceId>,
    /// The packs that it is for. Empty if it is for a free amount.
    pub lines: Vec<RefundLine>,
    pub poll_count: i64,
    pub created_at_ms: i64,
    pub updated_at_ms: i64,
}

/// Packs of one product, and their share of the order line's total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundLine {
    pub product: ProductId,
    pub packs: Packs,
    pub amount: Paise,
}

impl Refund {
    /// Whether its amount counts as returned. A failed refund returned nothing.
    pub fn counts(&self) -> bool {
        self.status != RefundStatus::Failed
    }

    /// Whether the gateway has returned the amount.
    pub fn is_completed(&self) -> bool {
        self.status == RefundStatus::Completed
    }
}

/// What the gateway says about a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundReport {
    Completed,
    /// With its error code, if it has one.
    Failed(Option<String>),
    Pending,
    /// It does not know the refund.
    Unknown,
    /// It refuses the refund, and does not know it from an earlier request.
    Rejected,
    NoResponse,
}

/// How a refund goes on after a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefundProgress {
    /// It is requested or polled again.
    Waiting(RefundStatus),
    Completed,
    /// With the reason, if there is one.
    Failed(Option<String>),
}

/// The wait after the first poll. Each wait is twice as long as the one before.
const FIRST_POLL_DELAY_MS: i64 = 30_000;
/// The longest wait is 64 minutes.
const MAX_DOUBLINGS: i64 = 7;

impl Refund {
    /// What a report means for a refund that is under way.
    pub fn after(&self, report: RefundReport) -> RefundProgress {
        match report {
            RefundReport::Completed => RefundProgress::Completed,
            RefundReport::Failed(code) => RefundProgress::Failed(code),
            RefundReport::Rejected => {
                RefundProgress::Failed(Some("rejected by the gateway".to_owned()))
            }
            RefundReport::Pending => RefundProgress::Waiting(RefundStatus::Pending),
            // It is requested again, with the same id.
            RefundReport::Unknown => RefundProgress::Waiting(RefundStatus::Requested),
            RefundReport::NoResponse => RefundProgress::Waiting(self.status),
        }
    }

    pub fn next_poll_at_ms(&self, now_ms: i64) -> i64 {
        now_ms + (FIRST_POLL_DELAY_MS << self.poll_count.clamp(0, MAX_DOUBLINGS))
    }
}

/// When a refund fails: after all that was requested before it failed, also if the clock was set back. `refunds` are those
/// of its order.
pub fn failed_at_ms(refunds: &[Refund], now_ms: i64) -> i64 {
    let requested = refunds.iter().map(|one| one.created_at_ms + 1);
    requested.fold(now_ms, i64::max)
}

#[cfg(test)]
pub(crate) mod fixture;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refund(status: RefundStatus, poll_count: i64, created_at_ms: i64) -> Refund {
        Refund {
            poll_count,
            created_at_ms,
            ..fixture::refund(Paise::new(10_000), status)
        }
    }

    fn under_way() -> impl Strategy<Value = RefundStatus> {
        prop_oneof![Just(RefundStatus::Requested), Just(RefundStatus::Pending)]
    }

    fn any_report() -> impl Strategy<Value = RefundReport> {
        prop_oneof![
            Just(RefundReport::Completed),
            proptest::option::of("[A-Z_]{1,10}").prop_map(RefundReport::Failed),
            Just(RefundReport::Pending),
            Just(RefundReport::Unknown),
            Just(RefundReport::Rejected),
            Just(RefundReport::NoResponse),
        ]
    }

    #[test]
    fn waits_double_up_to_an_hour() {
        let wait_s = |polls| refund(RefundStatus::Pending, polls, 0).next_poll_at_ms(0) / 1000;
        let waits_s: Vec<_> = (0..10).map(wait_s).collect();
        assert_eq!(
            waits_s,
            [30, 60, 120, 240, 480, 960, 1920, 3840, 3840, 3840]
        );
    }

    #[test]
    fn refund_that_the_gateway_does_not_know_is_requested_again() {
        let pending = refund(RefundStatus::Pending, 3, 0);
        let again = RefundProgress::Waiting(RefundStatus::Requested);
        assert_eq!(pending.after(RefundReport::Unknown), again);
        let failed = RefundProgress::Failed(Some("rejected by the gateway".into()));
        assert_eq!(pending.after(RefundReport::Rejected), failed);
    }

    proptest! {
        #[test]
        fn only_an_answer_about_the_money_ends_a_refund(status in under_way(), report in any_report(), polls in 0_i64..1_000) {
            let progress = refund(status, polls, 0).after(report.clone());
            match report {
                RefundReport::Completed => prop_assert_eq!(progress, RefundProgress::Completed),
                RefundReport::Failed(_) | RefundReport::Rejected => prop_assert!(matches!(progress, RefundProgress::Failed(_))),
                RefundReport::Pending | RefundReport::Unknown => prop_assert!(matches!(progress, RefundProgress::Waiting(_))),
                RefundReport::NoResponse => prop_assert_eq!(progress, RefundProgress::Waiting(status)),
            }
        }

        #[test]
        fn refund_is_always_polled_again(polls in -5_i64..1_000, now_ms in 0_i64..i64::MAX / 2) {
            let wait_ms = refund(RefundStatus::Pending, polls, 0).next_poll_at_ms(now_ms) - now_ms;
            prop_assert!((30_000..=3_840_000).contains(&wait_ms));
        }

        #[test]
        fn refund_fails_after_all_requests(created in proptest::collection::vec(0_i64..1_000, 0..6), now_ms in 0_i64..1_000) {
            let refunds: Vec<_> = created.iter().map(|at_ms| refund(RefundStatus::Pending, 0, *at_ms)).collect();
            let at_ms = failed_at_ms(&refunds, now_ms);
            prop_assert!(at_ms >= now_ms);
            prop_assert!(created.iter().all(|created_ms| *created_ms < at_ms));
        }
    }
}
