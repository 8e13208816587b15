//! Requests with an idempotency key.

use async_trait::async_trait;

use crate::repository::StoreResult;

/// A key, what it is unique for, and a hash of the request that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    pub scope: String,
    pub key: String,
    pub fingerprint: String,
}

/// The first request with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredRequest {
    pub fingerprint: String,
    /// As JSON, if it was stored.
    pub response: Option<String>,
}

#[async_trait]
pub trait RequestKeyRepository: Send {
    async fn request_by_key(&mut self, key: &RequestKey) -> StoreResult<Option<StoredRequest>>;
    /// False if the key is known. Waits for a transaction that stores the same key at this time.
    async fn insert_request_key(
        &mut self,
        key: &RequestKey,
        response: Option<&str>,
        now_ms: i64,
    ) -> StoreResult<bool>;
    async fn delete_request_keys_before(&mut self, before_ms: i64) -> StoreResult<u64>;
}
