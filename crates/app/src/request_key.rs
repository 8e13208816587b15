//! Requests of admins with an `Idempotency-Key`. A repetition has no second effect and gets the first result. The same key
//! with another request is refused.

use std::fmt::Debug;

use sha2::{Digest as _, Sha256};

use crate::repository::Transaction;
pub use crate::repository::payments::request_keys::RequestKey;
use crate::{AppError, ErrorCode, Shop};

const MAX_KEY_CHARS: usize = 200;
/// Nobody repeats a request after this time.
const RETENTION_MS: i64 = 30 * 24 * 60 * 60_000;

impl RequestKey {
    /// `request` is everything that the effect depends on.
    pub fn new(scope: String, key: &str, request: &impl Debug) -> Result<RequestKey, AppError> {
        RequestKey::of_bytes(scope, key, format!("{request:?}").as_bytes())
    }

    pub fn of_bytes(scope: String, key: &str, request: &[u8]) -> Result<RequestKey, AppError> {
        check_key(key)?;
        Ok(RequestKey {
            scope,
            key: key.to_owned(),
            fingerprint: base16ct::lower::encode_string(&Sha256::digest(request)),
        })
    }
}

pub(crate) fn check_key(key: &str) -> Result<(), AppError> {
    if key.is_empty() || key.len() > MAX_KEY_CHARS {
        let text = format!("Idempotency-Key must have 1 to {MAX_KEY_CHARS} characters");
        return Err(AppError::invalid(text).with_field("Idempotency-Key"));
    }
    Ok(())
}

pub(crate) fn key_reused() -> AppError {
    AppError::new(
        ErrorCode::IdempotencyKeyReused,
        "This Idempotency-Key was used for another request",
    )
}

/// What is known of a key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum KeyUse {
    First,
    /// With the stored response, if there is one.
    Repeated(Option<String>),
}

/// An error if the key was used for another request.
pub(crate) async fn find_key(
    tx: &mut dyn Transaction,
    key: &RequestKey,
) -> Result<KeyUse, AppError> {
    match tx.request_by_key(key).await? {
        None => Ok(KeyUse::First),
        Some(first) if first.fingerprint == key.fingerprint => Ok(KeyUse::Repeated(first.response)),
        Some(_) => Err(key_reused()),
    }
}

/// Stores the key with the transaction. An error if it was used for another request.
pub(crate) async fn claim_key(
    tx: &mut dyn Transaction,
    key: &RequestKey,
    response: Option<&str>,
    now_ms: i64,
) -> Result<KeyUse, AppError> {
    if tx.insert_request_key(key, response, now_ms).await? {
        return Ok(KeyUse::First);
    }
    find_key(tx, key).await
}

impl Shop {
    pub async fn delete_old_request_keys(&self) -> Result<(), AppError> {
        let before_ms = self.now_ms() - RETENTION_MS;
        self.db
            .write(async move |tx| {
                tx.delete_request_keys_before(before_ms).await?;
                Ok(())
            })
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_depends_on_the_request_only() {
        let of = |scope: &str, key, request: &str| {
            RequestKey::new(scope.to_owned(), key, &request).unwrap()
        };
        assert_eq!(of("a", "k", "x"), of("a", "k", "x"));
        assert_eq!(of("a", "k", "x").fingerprint, of("b", "l", "x").fingerprint);
        assert_ne!(of("a", "k", "x").fingerprint, of("a", "k", "y").fingerprint);
    }

    #[test]
    fn key_has_1_to_200_characters() {
        assert!(check_key("k").is_ok() && check_key(&"k".repeat(200)).is_ok());
        for wrong in ["", &"k".repeat(201)] {
            assert!(check_key(wrong).is_err(), "{wrong}");
        }
    }
}
