//! Token buckets that all instances share.

use std::time::Duration;

use async_trait::async_trait;

use crate::repository::StoreResult;

/// A bucket of up to `burst` tokens. One token is added per `refill_interval`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenBucket {
    /// A hash of the rate limit and its owner.
    pub key: String,
    pub burst: u32,
    pub refill_interval: Duration,
}

#[async_trait]
pub trait RateLimitRepository: Send {
    /// Takes one token. Some: the bucket is empty, with the time to wait. The wait is at most one `refill_interval`, even
    /// if another instance's clock is ahead.
    async fn take_token(
        &mut self,
        bucket: &TokenBucket,
        now_ms: i64,
    ) -> StoreResult<Option<Duration>>;
}
