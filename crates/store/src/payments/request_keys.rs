//! Requests with an idempotency key.

use async_trait::async_trait;
use mirasa_app::repository::StoreResult;
use mirasa_app::repository::payments::request_keys::{RequestKeyRepository, StoredRequest};
use mirasa_app::request_key::RequestKey;

use crate::sql::engine::SqlRepository;
use crate::sql::query::query;
use crate::sql::row::row;

row! {
    struct RequestKeyRow {
        fingerprint: String,
        response: Option<String>,
    }
}

#[async_trait]
impl RequestKeyRepository for SqlRepository<'_> {
    async fn request_by_key(&mut self, key: &RequestKey) -> StoreResult<Option<StoredRequest>> {
        const FIND: &str =
            "select fingerprint, response from request_keys where scope = $1 and key = $2";
        let find = query(FIND).bind(&key.scope).bind(&key.key);
        let row: Option<RequestKeyRow> = self.fetch_optional(find).await?;
        Ok(row.map(|row| StoredRequest {
            fingerprint: row.fingerprint,
            response: row.response,
        }))
    }

    async fn insert_request_key(
        &mut self,
        key: &RequestKey,
        response: Option<&str>,
        now_ms: i64,
    ) -> StoreResult<bool> {
        const INSERT: &str =
            "insert into request_keys (scope, key, fingerprint, response, created_at)
            values ($1, $2, $3, $4, $5) on conflict do nothing";
        let insert = query(INSERT)
            .bind(&key.scope)
            .bind(&key.key)
            .bind(&key.fingerprint)
            .bind(response)
            .bind(now_ms);
        Ok(self.execute(insert).await? > 0)
    }

    async fn delete_request_keys_before(&mut self, before_ms: i64) -> StoreResult<u64> {
        self.execute(query("delete from request_keys where created_at < $1").bind(before_ms))
            .await
    }
}
