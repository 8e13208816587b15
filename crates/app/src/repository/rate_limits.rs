//! Token buckets that all instances share.

use std::time::Duration;

use async_trait::async_trait;

use crate::repository::StoreResult;

/// Holds `burst` calls; one comes back `every` so often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenBucket {
    /// Says neither what is counted nor whose it is.
    pub key: String,
    pub burst: u32,
    pub refill_interval: Duration,
}

#[async_trait]
pub trait RateLimitRepository: Send {
    /// Takes one call out of the bucket, or none and tells how long to wait: never longer than it takes for
    /// one to come back, whatever a clock that was ahead has left behind.
    async fn take_token(
        &mut self,
        bucket: &TokenBucket,
        now_ms: i64,
    ) -> StoreResult<Option<Duration>>;
}
