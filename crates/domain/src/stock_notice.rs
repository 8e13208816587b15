//! Who is notified that a product can be bought again, and when.

pub use crate::id::NoticeId;

/// People who were notified are given this time to buy, before others are notified of the same packs.
pub const WAVE_INTERVAL_MS: i64 = 60 * 60_000;

/// Emails that are written in one transaction.
pub const MAX_WAVE: i64 = 100;

/// How many people are notified now: one for each pack, less those who were notified within the last hour and may still buy.
pub fn wave_size(packs_left: u32, told_recently: i64) -> i64 {
    (i64::from(packs_left) - told_recently).clamp(0, MAX_WAVE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_more_people_are_notified_than_there_are_packs(packs in 0u32..500, notified in 0i64..500) {
            let wave = wave_size(packs, notified);
            prop_assert!((0..=MAX_WAVE).contains(&wave));
            prop_assert!(wave == 0 || wave + notified <= i64::from(packs));
        }
    }

    #[test]
    fn new_stock_reaches_people_at_once() {
        assert_eq!(wave_size(0, 0), 0);
        assert_eq!(wave_size(10, 0), 10);
        assert_eq!(wave_size(7, 10), 0, "three of the ten have bought");
        assert_eq!(wave_size(500, 10), MAX_WAVE, "a large delivery soon after");
    }
}
