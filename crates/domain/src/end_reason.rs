//! Why an order ended unpaid. The reason decides whether a late payment is refunded, which deadline a new order gets,
//! and when the customer must wait before the next order.

use std::fmt;

/// How long a customer has to pay, and how long the stock is reserved.
pub const PAY_WITHIN_MS: i64 = 15 * 60_000;
/// The shortest lifetime of a payment page that the gateway accepts.
pub const MIN_PAGE_MS: i64 = 5 * 60_000;
/// How long an unpaid order counts for the cool-down.
pub const UNPAID_COUNTS_FOR_MS: i64 = 24 * 60 * 60_000;
const FIRST_COOL_DOWN_MS: i64 = 15 * 60_000;
const MAX_COOL_DOWN_MS: i64 = 24 * 60 * 60_000;
/// The cool-down starts with this number of unpaid orders in a row.
const UNPAID_BEFORE_COOL_DOWN: usize = 2;

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum EndReason {
        /// The gateway declined the payment.
        Failed = "failed",
        /// The time to pay ended.
        Expired = "expired",
        /// The customer checked out again.
        Replaced = "replaced",
        /// The gateway gave no payment page.
        NotStarted = "no page",
        AmountMismatch = "wrong amount",
        /// An admin set the status to cancelled.
        Cancelled = "cancelled",
        CancelledByCustomer = "cancelled by customer",
        /// An admin deleted the order.
        Deleted = "deleted",
        /// The customer's account was deleted, by themselves or by an admin.
        AccountDeleted = "account deleted",
        /// An admin released the reserved stock.
        Released = "released",
    }
}

impl EndReason {
    /// An admin or the customer ended the order. A payment that arrives afterwards is refunded and never completes
    /// the order.
    pub const fn is_deliberate(self) -> bool {
        matches!(
            self,
            EndReason::Cancelled
                | EndReason::CancelledByCustomer
                | EndReason::Deleted
                | EndReason::AccountDeleted
                | EndReason::Released
        )
    }

    /// Whether the order counts for the cool-down: its reservation blocked other customers until the deadline.
    pub const fn is_unpaid(self) -> bool {
        matches!(self, EndReason::Expired | EndReason::Released)
    }

    /// The reason after the gateway declined a payment. It also reports expired pages as failed, and an order that is
    /// declined shortly before the deadline has reserved its stock for about as long.
    pub const fn for_declined_payment(deadline_ms: i64, now_ms: i64) -> EndReason {
        if has_time_left(deadline_ms, now_ms) {
            EndReason::Failed
        } else {
            EndReason::Expired
        }
    }

    /// The reason of a pending order whose customer checks out again. If the time left is enough for another payment
    /// page, the new order inherits the deadline; otherwise the old order has expired.
    pub const fn for_replaced_order(deadline_ms: i64, now_ms: i64) -> EndReason {
        if has_time_left(deadline_ms, now_ms) {
            EndReason::Replaced
        } else {
            EndReason::Expired
        }
    }
}

const fn has_time_left(deadline_ms: i64, now_ms: i64) -> bool {
    now_ms + MIN_PAGE_MS <= deadline_ms
}

/// The deadline of a new order. `replaced_ms` is the deadline of the order that it replaces: checking out again does
/// not prolong a reservation.
pub fn new_deadline_ms(replaced_ms: Option<i64>, now_ms: i64) -> i64 {
    replaced_ms
        .filter(|deadline_ms| has_time_left(*deadline_ms, now_ms))
        .unwrap_or(now_ms + PAY_WITHIN_MS)
}

/// How long a customer must wait before the next order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoolDown {
    pub unpaid: usize,
    pub wait_ms: i64,
}

impl CoolDown {
    /// `ends_ms`: when the customer's unpaid orders since the last paid one ended, newest first.
    pub fn after(ends_ms: &[i64], now_ms: i64) -> Option<CoolDown> {
        let ends_ms: Vec<_> = ends_ms
            .iter()
            .filter(|end_ms| **end_ms > now_ms - UNPAID_COUNTS_FOR_MS)
            .collect();
        let further = ends_ms.len().checked_sub(UNPAID_BEFORE_COOL_DOWN)?;
        let length_ms = (FIRST_COOL_DOWN_MS << further.min(10)).min(MAX_COOL_DOWN_MS);
        let wait_ms = *ends_ms.first()? + length_ms - now_ms;
        (wait_ms > 0).then_some(CoolDown {
            unpaid: ends_ms.len(),
            wait_ms,
        })
    }

    pub fn seconds(self) -> i64 {
        (self.wait_ms + 999) / 1000
    }
}

impl fmt::Display for CoolDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WORDS: [&str; 8] = [
            "two", "three", "four", "five", "six", "seven", "eight", "nine",
        ];
        let word = self.unpaid.checked_sub(2).and_then(|at| WORDS.get(at));
        let unpaid = word.map_or_else(|| self.unpaid.to_string(), |word| (*word).to_owned());
        write!(
            f,
            "Your last {unpaid} orders were not paid. You can order again in "
        )?;
        let minutes = (self.seconds() + 59) / 60;
        match minutes {
            1 => write!(f, "1 minute."),
            2..=120 => write!(f, "{minutes} minutes."),
            _ => write!(f, "{} hours.", (minutes + 59) / 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000_000_000;
    const MINUTE: i64 = 60_000;

    #[test]
    fn end_reason_parses_its_stored_text() {
        for reason in EndReason::ALL {
            assert_eq!(EndReason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!(EndReason::parse(""), None);
    }

    #[test]
    fn replacing_order_inherits_the_deadline_if_a_page_fits() {
        for (left_ms, reason, deadline_ms) in [
            (15 * MINUTE, EndReason::Replaced, NOW + 15 * MINUTE),
            (MIN_PAGE_MS, EndReason::Replaced, NOW + MIN_PAGE_MS),
            (MIN_PAGE_MS - 1, EndReason::Expired, NOW + PAY_WITHIN_MS),
            (-MINUTE, EndReason::Expired, NOW + PAY_WITHIN_MS),
        ] {
            let old = NOW + left_ms;
            assert_eq!(EndReason::for_replaced_order(old, NOW), reason, "{left_ms}");
            assert_eq!(new_deadline_ms(Some(old), NOW), deadline_ms, "{left_ms}");
        }
        assert_eq!(new_deadline_ms(None, NOW), NOW + PAY_WITHIN_MS);
    }

    #[test]
    fn declined_payment_counts_as_expired_near_the_deadline() {
        let deadline_ms = NOW + 15 * MINUTE;
        assert_eq!(
            EndReason::for_declined_payment(deadline_ms, NOW),
            EndReason::Failed
        );
        for late_ms in [deadline_ms - MIN_PAGE_MS + 1, deadline_ms + MINUTE] {
            let reason = EndReason::for_declined_payment(deadline_ms, late_ms);
            assert_eq!(reason, EndReason::Expired);
        }
        assert!(!EndReason::Failed.is_unpaid());
    }

    #[test]
    fn cool_down_starts_with_the_second_unpaid_order_and_doubles() {
        let wait = |count: usize| {
            let ends: Vec<_> = (0..count).map(|at| NOW - at as i64 * MINUTE).collect();
            CoolDown::after(&ends, NOW).map_or(0, |cool_down| cool_down.wait_ms / MINUTE)
        };
        let waits: Vec<_> = (0..12).map(wait).collect();
        assert_eq!(
            waits,
            [0, 0, 15, 30, 60, 120, 240, 480, 960, 1440, 1440, 1440]
        );
        let ends = [NOW - MINUTE, NOW - 20 * MINUTE];
        assert_eq!(
            CoolDown::after(&ends, NOW).unwrap().to_string(),
            "Your last two orders were not paid. You can order again in 14 minutes."
        );
        assert_eq!(
            CoolDown::after(&ends, NOW + 14 * MINUTE),
            None,
            "it is over"
        );
        let day_old = [NOW - MINUTE, NOW - UNPAID_COUNTS_FOR_MS];
        assert_eq!(CoolDown::after(&day_old, NOW), None, "a day later");
    }

    #[test]
    fn cool_down_message_names_the_wait() {
        for (unpaid, wait_ms, text) in [
            (
                2,
                1,
                "two orders were not paid. You can order again in 1 minute.",
            ),
            (
                3,
                119 * MINUTE + 1,
                "three orders were not paid. You can order again in 120 minutes.",
            ),
            (
                9,
                3 * 60 * MINUTE + 1,
                "nine orders were not paid. You can order again in 4 hours.",
            ),
            (
                11,
                60_001,
                "11 orders were not paid. You can order again in 2 minutes.",
            ),
        ] {
            let message = CoolDown { unpaid, wait_ms }.to_string();
            assert_eq!(message, format!("Your last {text}"));
        }
    }
}
