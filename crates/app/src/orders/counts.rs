//! A short-lived cache of how many orders a filter finds.
//!
//! Each page of a list needs the total count. Up to 10,000 orders are counted each time; a larger count may be up to 10
//! seconds old.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::repository::orders::search::OrderFilter;

const MIN_CACHED_COUNT: i64 = 10_000;
const TTL_MS: i64 = 10_000;
const MAX_ENTRIES: usize = 100;

#[derive(Default)]
pub struct OrderCountCache(Mutex<HashMap<OrderFilter, (i64, i64)>>);

impl OrderCountCache {
    pub fn get(&self, filter: &OrderFilter, now_ms: i64) -> Option<i64> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts
            .get(filter)
            .filter(|(_, at_ms)| (0..TTL_MS).contains(&(now_ms - at_ms)))
            .map(|(count, _)| *count)
    }

    pub fn insert(&self, filter: &OrderFilter, count: i64, now_ms: i64) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() >= MAX_ENTRIES {
            counts.clear();
        }
        if count > MIN_CACHED_COUNT {
            counts.insert(filter.clone(), (count, now_ms));
        } else {
            counts.remove(filter);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_counts_are_cached_until_the_ttl() {
        let counts = OrderCountCache::default();
        let all = OrderFilter::default();
        counts.insert(&all, MIN_CACHED_COUNT, 1_000);
        assert_eq!(counts.get(&all, 1_000), None);
        counts.insert(&all, MIN_CACHED_COUNT + 1, 1_000);
        assert_eq!(counts.get(&all, 1_000), Some(MIN_CACHED_COUNT + 1));
        assert_eq!(counts.get(&all, 999), None, "the clock was set back");
        assert_eq!(counts.get(&all, 10_999), Some(MIN_CACHED_COUNT + 1));
        assert_eq!(counts.get(&all, 11_000), None);
        counts.insert(&all, 5, 2_000);
        assert_eq!(counts.get(&all, 2_000), None, "the count is small again");
        for number in 0..1_000 {
            let filter = OrderFilter {
                order_id: number.to_string(),
                ..OrderFilter::default()
            };
            counts.insert(&filter, MIN_CACHED_COUNT + 1, 3_000);
        }
        assert!(counts.0.lock().unwrap().len() <= MAX_ENTRIES);
    }
}
