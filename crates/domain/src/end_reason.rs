//! Why an order ended unpaid, and what follows: whether late money goes back, which deadline a new order gets, and
//! when a customer has to wait before the next one.

use std::fmt;

/// How long a customer has to pay, and how long the stock is reserved.
pub const PAY_WITHIN_MS: i64 = 15 * 60_000;
/// The shortest time for which the gateway keeps a payment page open.
pub const MIN_PAGE_MS: i64 = 5 * 60_000;
/// Unpaid orders count for this long.
pub const UNPAID_COUNTS_FOR_MS: i64 = 24 * 60 * 60_000;
const FIRST_COOL_DOWN_MS: i64 = 15 * 60_000;
const MAX_COOL_DOWN_MS: i64 = 24 * 60 * 60_000;
/// The cool-down starts with so many unpaid orders in a row.
const UNPAID_BEFORE_COOL_DOWN: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The gateway declined the payment.
    Failed,
    /// The time to pay was over.
    Expired,
    /// The customer checked out again.
    Replaced,
    /// The gateway gave no payment page.
    NotStarted,
    AmountMismatch,
    /// An admin set the status to cancelled.
    Cancelled,
    /// An admin deleted the order.
    Deleted,
    /// The customer's account was deleted, by themselves or by an admin.
    AccountDeleted,
    /// An admin released the reserved stock.
    Released,
}

impl EndReason {
    pub const ALL: [EndReason; 9] = [
        EndReason::Failed,
        EndReason::Expired,
        EndReason::Replaced,
        EndReason::NotStarted,
        EndReason::AmountMismatch,
        EndReason::Cancelled,
        EndReason::Deleted,
        EndReason::AccountDeleted,
        EndReason::Released,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            EndReason::Failed => "failed",
            EndReason::Expired => "expired",
            EndReason::Replaced => "replaced",
            EndReason::NotStarted => "no page",
            EndReason::AmountMismatch => "wrong amount",
            EndReason::Cancelled => "cancelled",
            EndReason::Deleted => "deleted",
            EndReason::AccountDeleted => "account deleted",
            EndReason::Released => "released",
        }
    }

    pub fn parse(text: &str) -> Option<EndReason> {
        EndReason::ALL
            .into_iter()
            .find(|reason| reason.as_str() == text)
    }

    /// Somebody decided that this order ends. Money that arrives afterwards is returned and never brings the
    /// order back.
    pub const fn is_deliberate(self) -> bool {
        matches!(
            self,
            EndReason::Cancelled
                | EndReason::Deleted
                | EndReason::AccountDeleted
                | EndReason::Released
        )
    }

    /// Whether the order counts as unpaid for the cool-down: it kept others from the stock until its end.
    pub const fn is_unpaid(self) -> bool {
        matches!(self, EndReason::Expired | EndReason::Released)
    }

    /// What the gateway's refusal means. It also reports a page as failed whose time is over; and an order that is
    /// declined shortly before has kept its stock for as long.
    pub const fn for_declined_payment(deadline_ms: i64, now_ms: i64) -> EndReason {
        if has_time_left(deadline_ms, now_ms) {
            EndReason::Failed
        } else {
            EndReason::Expired
        }
    }

    /// What becomes of an open order when its customer checks out again. With time for another payment page the new
    /// order takes over its deadline; without, it has had its time.
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

/// The deadline of a new order. `replaced_ms` is that of the order which it replaces, if there is one: checking out
/// again does not prolong a reservation.
pub fn new_deadline_ms(replaced_ms: Option<i64>, now_ms: i64) -> i64 {
    replaced_ms
        .filter(|deadline_ms| has_time_left(*deadline_ms, now_ms))
        .unwrap_or(now_ms + PAY_WITHIN_MS)
}

/// The customer has to wait before the next order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoolDown {
    pub unpaid: usize,
    pub wait_ms: i64,
}

impl CoolDown {
    /// `ends_ms` are the ends of the customer's unpaid orders since the last paid one, newest first.
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
    fn every_reason_is_read_as_it_is_written() {
        for reason in EndReason::ALL {
            assert_eq!(EndReason::parse(reason.as_str()), Some(reason));
        }
        assert_eq!(EndReason::parse(""), None);
    }

    #[test]
    fn a_replacing_order_inherits_the_deadline_until_no_page_fits_into_it() {
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
    fn a_refusal_counts_only_near_the_deadline() {
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
    fn the_cool_down_starts_with_the_second_unpaid_order_and_doubles() {
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
    fn the_cool_down_says_how_long() {
        for (unpaid, wait_ms, says) in [
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
            let text = CoolDown { unpaid, wait_ms }.to_string();
            assert_eq!(text, format!("Your last {says}"));
        }
    }
}
