//! Token buckets that all instances share.

use std::time::Duration;

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::operations::rate_limits::{RateLimitRepository, TokenBucket};

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;

/// $2 is the current time, $3 the refill interval, $4 the time at which an empty bucket is full again. A later time can
/// only come from a clock that is ahead; then the bucket counts as empty now.
const TAKE: &str = "insert into call_buckets (key, full_at, wait) values ($1, $2 + $3, 0)
    on conflict (key) do update set
        full_at = case
            when call_buckets.full_at < $2 then $2 + $3
            when call_buckets.full_at + $3 <= $4 then call_buckets.full_at + $3
            when call_buckets.full_at > $4 then $4
            else call_buckets.full_at end,
        wait = case
            when call_buckets.full_at + $3 <= $4 then 0
            when call_buckets.full_at > $4 then $3
            else call_buckets.full_at + $3 - $4 end
    returning wait";

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[async_trait]
impl RateLimitRepository for SqlRepository<'_> {
    async fn take_token(
        &mut self,
        bucket: &TokenBucket,
        now_ms: i64,
    ) -> StoreResult<Option<Duration>> {
        let interval_ms = milliseconds(bucket.refill_interval);
        let max_full_at_ms = now_ms + milliseconds(bucket.refill_interval * bucket.burst);
        let wait = self
            .fetch_one::<i64>(
                query(TAKE)
                    .bind(&bucket.key)
                    .bind(now_ms)
                    .bind(interval_ms)
                    .bind(max_full_at_ms),
            )
            .await?;
        let wait = u64::try_from(wait).unwrap_or_default();
        Ok((wait > 0).then(|| Duration::from_millis(wait)))
    }
}
