//! The access tokens that a sandbox has issued.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// With their expiry timestamps.
#[derive(Default)]
pub(crate) struct Tokens(Mutex<HashMap<String, i64>>);

impl Tokens {
    pub(crate) fn insert(&self, token: String, now_ms: i64, expires_at_ms: i64) {
        let mut tokens = self.lock();
        tokens.retain(|_, expires_at_ms| *expires_at_ms > now_ms);
        tokens.insert(token, expires_at_ms);
    }

    pub(crate) fn is_valid(&self, token: &str, now_ms: i64) -> bool {
        let expires_at_ms = self.lock().get(token).copied();
        expires_at_ms.is_some_and(|expires_at_ms| expires_at_ms > now_ms)
    }

    pub(crate) fn revoke_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, i64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
