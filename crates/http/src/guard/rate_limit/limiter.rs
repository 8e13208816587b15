//! The token buckets of one instance, in memory. A bucket that is full again is forgotten, so memory stays small.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::guard::rate_limit::limits::RateLimit;

/// With more buckets than this in use, all are dropped: a moment without limits is better than a shop without memory.
const MAX_BUCKETS: usize = 200_000;

/// The buckets that are not full.
#[derive(Default)]
pub struct RateLimiter {
    /// Its random seed prevents that clients find colliding keys.
    hasher: RandomState,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    full_at: HashMap<u64, Instant>,
    sweep_at: usize,
}

impl RateLimiter {
    pub fn bucket_key(&self, limit: &RateLimit, owner: impl Hash) -> u64 {
        self.hasher.hash_one((limit, owner))
    }

    /// Takes one token from each bucket, or none if one of them is empty; then returns how long to wait.
    pub fn take_tokens(&self, buckets: &[(RateLimit, u64)], now: Instant) -> Result<(), Duration> {
        let mut all = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        all.sweep(now);
        let full_at_after = |all: &Buckets, limit: &RateLimit, key: &u64| {
            all.full_at.get(key).map_or(now, |at| now.max(*at)) + limit.refill_interval
        };
        let wait = buckets.iter().filter_map(|(limit, key)| {
            let taken = full_at_after(&all, limit, key) - now;
            taken.checked_sub(limit.refill_interval * limit.burst)
        });
        match wait.max() {
            Some(wait) if wait > Duration::ZERO => return Err(wait),
            _ => {}
        }
        for (limit, key) in buckets {
            let full_at = full_at_after(&all, limit, key);
            all.full_at.insert(*key, full_at);
        }
        Ok(())
    }

    /// All instances together have emptied this bucket; one token comes back after `wait`. Until then the database need
    /// not be asked again.
    pub fn drain(&self, limit: &RateLimit, key: u64, wait: Duration, now: Instant) {
        let full_at = now + wait + limit.refill_interval * limit.burst.saturating_sub(1);
        let mut all = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.full_at.entry(key).or_insert(full_at);
        *known = full_at.max(*known);
    }
}

impl Buckets {
    fn sweep(&mut self, now: Instant) {
        if self.full_at.len() < self.sweep_at.max(1000) {
            return;
        }
        self.full_at.retain(|_, full_at| *full_at > now);
        if self.full_at.len() > MAX_BUCKETS {
            tracing::warn!("too many rate limit buckets: all are reset");
            self.full_at.clear();
        }
        // The next sweep comes when the number has doubled, so that sweeping stays cheap.
        self.sweep_at = self.full_at.len() * 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::rate_limit::limits::RateLimitKey;

    const SMALL: RateLimit = RateLimit {
        key: RateLimitKey::IpPrefix,
        name: "test",
        burst: 3,
        refill_interval: Duration::from_millis(100),
        shared: false,
    };
    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_bucket_empties_and_refills() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        let take = |key, at| limits.take_tokens(&[(SMALL, key)], at);
        for _ in 0..3 {
            assert_eq!(take(1, start), Ok(()));
        }
        assert_eq!(take(1, start), Err(100 * MS));
        assert_eq!(
            take(1, start + 30 * MS),
            Err(70 * MS),
            "a rejected request takes no token"
        );
        assert_eq!(take(2, start), Ok(()), "another client's bucket is full");
        assert_eq!(take(1, start + 100 * MS), Ok(()));
        assert_eq!(take(1, start + 100 * MS), Err(100 * MS));
        let later = start + 10_000 * MS;
        for _ in 0..3 {
            assert_eq!(take(1, later), Ok(()));
        }
        assert!(
            take(1, later).is_err(),
            "it never holds more than its burst"
        );
    }

    #[test]
    fn a_request_that_one_bucket_rejects_takes_no_token_from_the_others() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        for _ in 0..3 {
            assert_eq!(limits.take_tokens(&[(SMALL, 1)], start), Ok(()));
        }
        for _ in 0..9 {
            assert!(
                limits
                    .take_tokens(&[(SMALL, 1), (SMALL, 2)], start)
                    .is_err()
            );
        }
        assert_eq!(limits.take_tokens(&[(SMALL, 2)], start), Ok(()));
    }

    #[test]
    fn a_bucket_emptied_by_other_instances_is_empty_here() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        let take = |at| limits.take_tokens(&[(SMALL, 1)], at);
        limits.drain(&SMALL, 1, 40 * MS, start);
        assert_eq!(take(start), Err(40 * MS));
        assert_eq!(take(start + 40 * MS), Ok(()));
        assert_eq!(take(start + 40 * MS), Err(100 * MS));
        limits.drain(&SMALL, 1, 10 * MS, start + 40 * MS);
        assert_eq!(
            take(start + 40 * MS),
            Err(100 * MS),
            "draining must not fill it"
        );
        assert_eq!(take(start + 10_000 * MS), Ok(()), "it fills again");
    }

    #[test]
    fn full_buckets_are_forgotten() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        for key in 0..50_000 {
            let at = start + MS * u32::try_from(key).unwrap();
            assert_eq!(limits.take_tokens(&[(SMALL, key)], at), Ok(()));
        }
        let held = limits.buckets.lock().unwrap().full_at.len();
        assert!(held <= 1000, "{held} buckets for 100 clients");
    }
}
