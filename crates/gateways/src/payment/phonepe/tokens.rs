//! The access token for all requests. It is renewed at half its lifetime by the next request, and
//! used until it expires if the renewal fails.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use mirasa_app::ports::clock::Clock;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::http_client::{GatewayHttp, HttpError};

/// After a failed renewal the current token is used; the next renewal is tried after this time.
const RENEWAL_RETRY_MS: i64 = 15 * 1000;
/// Accepted range of a token's lifetime, and the default if the response has none. With the minimum
/// a wrong clock does not cause a token request for each request. A token that expires earlier is
/// replaced when PhonePe rejects it.
const TTL_RANGE_MS: std::ops::RangeInclusive<i64> = 60 * 1000..=24 * 60 * 60 * 1000;
const DEFAULT_TTL_MS: i64 = 15 * 60 * 1000;

pub(super) struct Token {
    text: String,
    renew_at_ms: i64,
    expires_at_ms: i64,
}

impl Token {
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// Both timestamps in epoch seconds, by PhonePe's clock.
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    issued_at: Option<i64>,
    expires_at: Option<i64>,
}

pub(super) struct TokenCache {
    url: String,
    credentials: [(&'static str, String); 4],
    clock: Arc<dyn Clock>,
    current: RwLock<Option<Arc<Token>>>,
    /// Held while a token is fetched.
    fetch_lock: Mutex<()>,
    failures: AtomicU64,
    next_renewal_at_ms: AtomicI64,
}

impl TokenCache {
    pub(super) fn new(
        url: String,
        credentials: [(&'static str, String); 4],
        clock: Arc<dyn Clock>,
    ) -> TokenCache {
        TokenCache {
            url,
            credentials,
            clock,
            current: RwLock::new(None),
            fetch_lock: Mutex::new(()),
            failures: AtomicU64::new(0),
            next_renewal_at_ms: AtomicI64::new(i64::MIN),
        }
    }

    pub(super) async fn get(&self, http: &GatewayHttp) -> Result<Arc<Token>, HttpError> {
        let now_ms = self.clock.now_ms();
        match self.current().filter(|token| now_ms < token.expires_at_ms) {
            Some(token) if now_ms < token.renew_at_ms => Ok(token),
            Some(token) => Ok(self.renew_or_current(token, now_ms, http).await),
            None => {
                self.fetch_unless(http, |token| now_ms < token.expires_at_ms)
                    .await
            }
        }
    }

    /// Another token than the rejected one, whatever its timestamps say.
    pub(super) async fn replace(
        &self,
        rejected: &Arc<Token>,
        http: &GatewayHttp,
    ) -> Result<Arc<Token>, HttpError> {
        self.fetch_unless(http, |token| !Arc::ptr_eq(token, rejected))
            .await
    }

    /// Only one caller waits for the renewal; the others use the current token, which is still
    /// valid.
    async fn renew_or_current(
        &self,
        old: Arc<Token>,
        now_ms: i64,
        http: &GatewayHttp,
    ) -> Arc<Token> {
        if now_ms < self.next_renewal_at_ms.load(Ordering::Acquire) {
            return old;
        }
        let Ok(_guard) = self.fetch_lock.try_lock() else {
            return old;
        };
        match self.current() {
            Some(current) if !Arc::ptr_eq(&current, &old) => return current,
            _ => {}
        }
        match self.fetch(http).await {
            Ok(renewed) => renewed,
            Err(error) => {
                tracing::warn!(
                    "the payment gateway's token could not be renewed; the current one is used: {error}"
                );
                self.next_renewal_at_ms
                    .store(now_ms + RENEWAL_RETRY_MS, Ordering::Release);
                old
            }
        }
    }

    async fn fetch_unless(
        &self,
        http: &GatewayHttp,
        is_acceptable: impl Fn(&Arc<Token>) -> bool,
    ) -> Result<Arc<Token>, HttpError> {
        let failures = self.failures.load(Ordering::Acquire);
        let _guard = self.fetch_lock.lock().await;
        if let Some(token) = self.current().filter(is_acceptable) {
            return Ok(token);
        }
        if self.failures.load(Ordering::Acquire) != failures {
            // The caller has waited for another one's timeout already.
            return Err(HttpError::TokenRecentlyFailed);
        }
        self.fetch(http).await.inspect_err(|_| {
            self.failures.fetch_add(1, Ordering::AcqRel);
        })
    }

    async fn fetch(&self, http: &GatewayHttp) -> Result<Arc<Token>, HttpError> {
        let response: TokenResponse = http
            .form(&self.url, &self.credentials)
            .await
            .map_err(|error| HttpError::NoToken(Box::new(error)))?;
        let now_ms = self.clock.now_ms();
        // The lifetime starts now by our clock, because the two clocks may differ.
        let ttl_ms = match (response.issued_at, response.expires_at) {
            (Some(issued), Some(expires)) => expires.saturating_sub(issued).saturating_mul(1000),
            (None, Some(expires)) => expires.saturating_mul(1000).saturating_sub(now_ms),
            (_, None) => DEFAULT_TTL_MS,
        }
        .clamp(*TTL_RANGE_MS.start(), *TTL_RANGE_MS.end());
        let token = Arc::new(Token {
            text: response.access_token,
            renew_at_ms: now_ms + ttl_ms / 2,
            expires_at_ms: now_ms + ttl_ms,
        });
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(token.clone());
        Ok(token)
    }

    fn current(&self) -> Option<Arc<Token>> {
        self.current
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
