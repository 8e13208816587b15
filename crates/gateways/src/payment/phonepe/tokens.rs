//! The token that every call carries: one for all, renewed at half its life by whoever comes by, and
//! kept as long as it lives while PhonePe gives out no newer one.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use mirasa_app::ports::clock::Clock;
use serde::Deserialize;
use tokio::sync::Mutex;

use super::http_client::{Fault, GatewayHttp};

/// After a renewal that failed the old token serves; the next who tries comes this much later.
const RENEW_AGAIN_MS: i64 = 15 * 1000;
/// What is believed of a token's life, and what is taken for one that says nothing. The least keeps a
/// wrong clock from costing a token per call; a token that dies earlier is replaced when it is refused.
const LIFE_MS: std::ops::RangeInclusive<i64> = 60 * 1000..=24 * 60 * 60 * 1000;
const UNSAID_LIFE_MS: i64 = 15 * 60 * 1000;

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

/// Both moments in epoch seconds, by PhonePe's clock.
#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
    issued_at: Option<i64>,
    expires_at: Option<i64>,
}

pub(super) struct Tokens {
    url: String,
    credentials: [(&'static str, String); 4],
    clock: Arc<dyn Clock>,
    current: RwLock<Option<Arc<Token>>>,
    /// Held by the one who asks.
    asking: Mutex<()>,
    failures: AtomicU64,
    renew_again_at_ms: AtomicI64,
}

impl Tokens {
    pub(super) fn new(
        url: String,
        credentials: [(&'static str, String); 4],
        clock: Arc<dyn Clock>,
    ) -> Tokens {
        Tokens {
            url,
            credentials,
            clock,
            current: RwLock::new(None),
            asking: Mutex::new(()),
            failures: AtomicU64::new(0),
            renew_again_at_ms: AtomicI64::new(i64::MIN),
        }
    }

    pub(super) async fn good(&self, http: &GatewayHttp) -> Result<Arc<Token>, Fault> {
        let now_ms = self.clock.now_ms();
        match self.current().filter(|token| now_ms < token.expires_at_ms) {
            Some(token) if now_ms < token.renew_at_ms => Ok(token),
            Some(token) => Ok(self.renewed_or_old(token, now_ms, http).await),
            None => {
                self.asked_unless(http, |token| now_ms < token.expires_at_ms)
                    .await
            }
        }
    }

    /// Another token than the one that was refused, whatever its dates say.
    pub(super) async fn newer_than(
        &self,
        refused: &Arc<Token>,
        http: &GatewayHttp,
    ) -> Result<Arc<Token>, Fault> {
        self.asked_unless(http, |token| !Arc::ptr_eq(token, refused))
            .await
    }

    /// Nobody waits for a renewal but the one who makes it: the old token is still good.
    async fn renewed_or_old(&self, old: Arc<Token>, now_ms: i64, http: &GatewayHttp) -> Arc<Token> {
        if now_ms < self.renew_again_at_ms.load(Ordering::Acquire) {
            return old;
        }
        let Ok(_asking) = self.asking.try_lock() else {
            return old;
        };
        match self.current() {
            Some(current) if !Arc::ptr_eq(&current, &old) => return current,
            _ => {}
        }
        match self.ask(http).await {
            Ok(renewed) => renewed,
            Err(fault) => {
                tracing::warn!("the payment gateway's token is kept, its renewal failed: {fault}");
                self.renew_again_at_ms
                    .store(now_ms + RENEW_AGAIN_MS, Ordering::Release);
                old
            }
        }
    }

    async fn asked_unless(
        &self,
        http: &GatewayHttp,
        good_enough: impl Fn(&Arc<Token>) -> bool,
    ) -> Result<Arc<Token>, Fault> {
        let failures = self.failures.load(Ordering::Acquire);
        let _asking = self.asking.lock().await;
        if let Some(token) = self.current().filter(good_enough) {
            return Ok(token);
        }
        if self.failures.load(Ordering::Acquire) != failures {
            // Who waited behind a timeout need not sit through one of their own.
            return Err(Fault::NoTokenLately);
        }
        self.ask(http).await.inspect_err(|_| {
            self.failures.fetch_add(1, Ordering::AcqRel);
        })
    }

    async fn ask(&self, http: &GatewayHttp) -> Result<Arc<Token>, Fault> {
        let answer: TokenAnswer = http
            .form(&self.url, &self.credentials)
            .await
            .map_err(|fault| Fault::NoToken(Box::new(fault)))?;
        let now_ms = self.clock.now_ms();
        // A life is counted from here by our own clock: the two clocks need not agree.
        let life_ms = match (answer.issued_at, answer.expires_at) {
            (Some(issued), Some(expires)) => expires.saturating_sub(issued).saturating_mul(1000),
            (None, Some(expires)) => expires.saturating_mul(1000).saturating_sub(now_ms),
            (_, None) => UNSAID_LIFE_MS,
        }
        .clamp(*LIFE_MS.start(), *LIFE_MS.end());
        let token = Arc::new(Token {
            text: answer.access_token,
            renew_at_ms: now_ms + life_ms / 2,
            expires_at_ms: now_ms + life_ms,
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
