//! Rate limits that all instances of the shop share.

use std::time::Duration;

use crate::repository::operations::rate_limits::TokenBucket;
use crate::{AppError, Shop};

impl Shop {
    /// Takes one token out of the bucket. Some: how long to wait for the next token.
    pub async fn take_token(&self, bucket: TokenBucket) -> Result<Option<Duration>, AppError> {
        let now_ms = self.now_ms();
        self.db
            .write(async move |tx| Ok(tx.take_token(&bucket, now_ms).await?))
            .await
    }
}
