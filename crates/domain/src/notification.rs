//! Emails to the owner about what is new: which there are, and when one may be sent.

use crate::ist;

/// The minimum time between two emails of one kind.
const INTERVAL_MS: i64 = 60 * 60_000;
/// Rows are reported when they are this old. A row has the time at which its transaction began and can be seen when it
/// has committed, which takes 10 s at most; the rest is for clocks that differ.
const SETTLING_MS: i64 = 60_000;
/// When the stock is checked each day, in minutes after midnight in India.
const DAILY_MINUTE: i64 = 8 * 60;

crate::text_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum NotificationKind {
        Messages = "messages",
        PaidOrders = "paid orders",
        FailedRefunds = "failed refunds",
        /// Reported by customers after the delivery.
        Problems = "problems",
        /// Requests of customers to cancel a packed order.
        Cancellations = "cancellations",
        /// Order issues that are not failed refunds.
        Issues = "issues",
        /// Not what is new, but what is so in the morning of each day.
        LowStock = "low stock",
    }
}

impl NotificationKind {
    /// `1 new message`, `3 refunds failed`
    pub fn headline(self, count: i64) -> String {
        let (one, many) = match self {
            NotificationKind::Messages => ("new message", "new messages"),
            NotificationKind::PaidOrders => ("new paid order", "new paid orders"),
            NotificationKind::FailedRefunds => ("refund failed", "refunds failed"),
            NotificationKind::Problems => ("reported problem", "reported problems"),
            NotificationKind::Cancellations => ("cancellation request", "cancellation requests"),
            NotificationKind::Issues => {
                ("order issue needs a person", "order issues need a person")
            }
            NotificationKind::LowStock => ("product runs out", "products run out"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }

    /// The section of the admin area that shows them.
    pub const fn section(self) -> &'static str {
        match self {
            NotificationKind::Messages => "messages",
            NotificationKind::Problems => "problems",
            NotificationKind::LowStock => "stock",
            NotificationKind::PaidOrders
            | NotificationKind::FailedRefunds
            | NotificationKind::Cancellations
            | NotificationKind::Issues => "orders",
        }
    }
}

/// From after `after_ms` until `until_ms`, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub after_ms: i64,
    pub until_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotificationState {
    pub last_sent_at_ms: Option<i64>,
    /// What is older was reported, or is older than the setting.
    pub seen_until_ms: i64,
}

impl NotificationState {
    /// What an email can report now, if one may be sent.
    pub fn due(self, now_ms: i64) -> Option<Period> {
        let is_allowed = self
            .last_sent_at_ms
            .is_none_or(|last| now_ms >= last + INTERVAL_MS);
        let period = Period {
            after_ms: self.seen_until_ms,
            until_ms: now_ms - SETTLING_MS,
        };
        (is_allowed && period.after_ms < period.until_ms).then_some(period)
    }

    /// For what is checked once a day: the time until which the last check was made is on an earlier day, and it is past eight
    /// in the morning.
    pub fn daily_due(self, now_ms: i64) -> bool {
        ist::day(self.seen_until_ms) < ist::day(now_ms)
            && ist::minute_of_day(now_ms) >= DAILY_MINUTE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn email_is_due_an_hour_after_the_last_one() {
        let state = |last_sent_at_ms| NotificationState {
            last_sent_at_ms,
            seen_until_ms: 0,
        };
        let now_ms = 10 * INTERVAL_MS;
        let period = Some(Period {
            after_ms: 0,
            until_ms: now_ms - SETTLING_MS,
        });
        assert_eq!(state(None).due(now_ms), period);
        assert_eq!(state(Some(9 * INTERVAL_MS)).due(now_ms), period);
        assert_eq!(state(Some(9 * INTERVAL_MS + 1)).due(now_ms), None);
        assert_eq!(state(Some(now_ms + 5)).due(now_ms), None, "another clock");
        assert_eq!(state(None).due(SETTLING_MS), None, "nothing is old enough");
    }

    #[test]
    fn daily_check_is_due_at_eight_in_india() {
        // 2026-11-15 00:00 in India.
        const MIDNIGHT: i64 = 1_794_681_000_000;
        let state = |seen_until_ms| NotificationState {
            last_sent_at_ms: None,
            seen_until_ms,
        };
        let eight = MIDNIGHT + 8 * 60 * 60_000;
        assert!(!state(MIDNIGHT - 1).daily_due(eight - 1));
        assert!(state(MIDNIGHT - 1).daily_due(eight));
        assert!(state(MIDNIGHT - 1).daily_due(eight + 10 * 60 * 60_000));
        assert!(!state(MIDNIGHT).daily_due(eight), "today already");
        assert!(!state(eight).daily_due(MIDNIGHT + ist::DAY_MS));
        assert!(state(eight).daily_due(eight + ist::DAY_MS));
    }

    #[test]
    fn headline_counts() {
        let headline = |kind: NotificationKind| (kind.headline(1), kind.headline(3));
        for kind in NotificationKind::ALL {
            let (one, many) = headline(kind);
            assert!(one.starts_with("1 ") && many.starts_with("3 "));
            assert_ne!(one[2..], many[2..]);
        }
    }
}
