//! Sums of paid orders, and the days of an overview.

use std::ops::{AddAssign, Range};

use crate::ist;
use crate::money::Paise;

/// Sums of orders that are paid, not cancelled, not deleted, and no replacements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SalesSums {
    pub orders: i64,
    /// Orders of customers who have an earlier order.
    pub repeat_orders: i64,
    pub packs_50g: i64,
    pub packs_100g: i64,
    /// What was paid, after discounts.
    pub sales: Paise,
    pub discounts: Paise,
    pub refunds: Paise,
}

impl SalesSums {
    pub fn net_sales(&self) -> Paise {
        self.sales - self.refunds
    }

    pub const fn packs(&self) -> i64 {
        self.packs_50g + self.packs_100g
    }

    /// What an order was paid with on average, before refunds, rounded to the nearest paisa.
    pub const fn average_order(&self) -> Paise {
        if self.orders == 0 {
            return Paise::ZERO;
        }
        Paise::new((2 * self.sales.get() + self.orders) / (2 * self.orders))
    }

    /// The share of repeat orders, in tenths of a per cent.
    pub const fn repeat_permille(&self) -> i64 {
        if self.orders == 0 {
            return 0;
        }
        (2_000 * self.repeat_orders + self.orders) / (2 * self.orders)
    }
}

impl AddAssign for SalesSums {
    fn add_assign(&mut self, other: SalesSums) {
        self.orders += other.orders;
        self.repeat_orders += other.repeat_orders;
        self.packs_50g += other.packs_50g;
        self.packs_100g += other.packs_100g;
        self.sales = self.sales + other.sales;
        self.discounts = self.discounts + other.discounts;
        self.refunds = self.refunds + other.refunds;
    }
}

/// Days in India, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayRange {
    pub first: i64,
    pub last: i64,
}

impl DayRange {
    /// The given number of days, the last one included.
    pub const fn until(last: i64, days: i64) -> DayRange {
        DayRange {
            first: last - days + 1,
            last,
        }
    }

    pub const fn len(self) -> i64 {
        self.last - self.first + 1
    }

    pub const fn is_empty(self) -> bool {
        self.last < self.first
    }

    /// As many days, directly before these.
    pub const fn previous(self) -> DayRange {
        DayRange::until(self.first - 1, self.len())
    }

    pub const fn start_ms(self) -> i64 {
        ist::day_start_ms(self.first)
    }

    /// The first millisecond after these days.
    pub const fn end_ms(self) -> i64 {
        ist::day_start_ms(self.last + 1)
    }

    pub const fn span_ms(self) -> Range<i64> {
        self.start_ms()..self.end_ms()
    }

    /// What these days are compared with: as many days directly before. Today is compared with yesterday up to the same
    /// time, because the rest of today is still to come.
    pub const fn compared_span_ms(self, now_ms: i64) -> Range<i64> {
        let before = self.previous();
        if self.is_today(now_ms) {
            before.start_ms()..now_ms - ist::DAY_MS
        } else {
            before.span_ms()
        }
    }

    pub const fn is_today(self, now_ms: i64) -> bool {
        self.len() == 1 && self.first == ist::day(now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_and_shares_are_rounded_to_the_nearest() {
        let sums = |orders, repeat_orders, sales| SalesSums {
            orders,
            repeat_orders,
            sales: Paise::new(sales),
            ..SalesSums::default()
        };
        assert_eq!(SalesSums::default().average_order(), Paise::ZERO);
        assert_eq!(SalesSums::default().repeat_permille(), 0);
        assert_eq!(sums(3, 1, 100).average_order(), Paise::new(33));
        assert_eq!(sums(3, 2, 101).average_order(), Paise::new(34));
        assert_eq!(sums(2, 1, 101).average_order(), Paise::new(51));
        assert_eq!(sums(3, 1, 0).repeat_permille(), 333);
        assert_eq!(sums(3, 2, 0).repeat_permille(), 667);
        assert_eq!(sums(3, 3, 0).repeat_permille(), 1_000);
    }

    #[test]
    fn previous_days_end_where_the_range_begins() {
        let march = DayRange {
            first: ist::first_of_month(2028, 3),
            last: ist::first_of_month(2028, 4) - 1,
        };
        let before = march.previous();
        assert_eq!(march.len(), 31);
        assert_eq!(before.len(), 31);
        assert_eq!(before.end_ms(), march.start_ms());
        assert_eq!(ist::calendar_date(before.first), (2028, 1, 30));
    }

    #[test]
    fn today_is_compared_with_yesterday_up_to_the_same_time() {
        const HOUR: i64 = 3_600_000;
        let day = ist::first_of_month(2028, 3);
        let today = DayRange::until(day, 1);
        let yesterday = today.previous();
        for (now_ms, length) in [
            (today.start_ms(), 0),
            (today.start_ms() + 15 * HOUR, 15 * HOUR),
            (today.end_ms() - 1, 24 * HOUR - 1),
        ] {
            let compared = today.compared_span_ms(now_ms);
            assert_eq!(
                compared,
                yesterday.start_ms()..yesterday.start_ms() + length
            );
            assert!(today.is_today(now_ms));
            // Days that are over, and several days, are compared with whole days.
            let over = yesterday.compared_span_ms(now_ms);
            assert_eq!(over, yesterday.previous().span_ms());
            let week = DayRange::until(day, 7);
            assert_eq!(week.compared_span_ms(now_ms), week.previous().span_ms());
        }
    }
}
