//! Too many calls of the kinds that all instances count together. Their buckets are rows; who is refused here
//! is refused from memory from then on, so that a flood does not reach the database. Where the database does
//! not answer soon, memory alone decides.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::response::Response;
use hmac::{Hmac, Mac as _};
use mirasa_app::Shop;
use mirasa_app::repository::rate_limits::TokenBucket;
use mirasa_domain::user::User;
use sha2::Sha256;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::rate_limit::{Client, RateLimit, RateLimitKey, rate_limited, rules};
use crate::state::AppState;

/// How long a call waits to be counted.
const TIMEOUT: Duration = Duration::from_secs(1);
/// How long nobody is asked after one has waited in vain.
const FAILURE_COOLDOWN: Duration = Duration::from_secs(2);
/// How many connections counting may take from the rest of the shop, and how long one that never ends.
const MAX_CONCURRENT: usize = 2;
const MAX_STATEMENT_TIME: Duration = Duration::from_secs(30);

pub struct SharedRateLimiter {
    secret: [u8; 32],
    asking: Arc<Semaphore>,
    /// Set while the database does not answer: when to ask again.
    paused_until: Mutex<Option<Instant>>,
}

/// Whose bucket it is, for all instances. Not a session's, as in memory: signing in anew fills no bucket.
enum BucketOwner<'a> {
    IpPrefix(IpAddr),
    User(&'a str),
}

/// A call that must be counted before it is let in.
pub struct SharedCheck {
    rule: RateLimit,
    bucket: TokenBucket,
    in_memory: u64,
}

impl SharedCheck {
    /// None for calls that memory alone counts.
    pub fn of(state: &AppState, request: &Request, me: Option<&User>) -> Option<SharedCheck> {
        let all = rules(request.method(), request.uri().path());
        let rule = *all.iter().find(|rule| rule.shared)?;
        let caller = Client::of(state, request)?;
        let owner = match (me, rule.whose) {
            (Some(me), RateLimitKey::Session) => BucketOwner::User(&me.id.0),
            _ => BucketOwner::IpPrefix(caller.ip_prefix),
        };
        Some(SharedCheck {
            rule,
            bucket: TokenBucket {
                key: state.shared_limits.key(rule.kind, &owner),
                burst: rule.burst,
                refill_interval: rule.every,
            },
            in_memory: caller.bucket(&state.rate_limiter, &rule),
        })
    }

    pub async fn refuse(self, state: &AppState) -> Option<Response> {
        let wait = state.shared_limits.take(&state.shop, self.bucket).await?;
        let now = Instant::now();
        state
            .rate_limiter
            .drain(&self.rule, self.in_memory, wait, now);
        Some(rate_limited(wait))
    }
}

impl SharedRateLimiter {
    pub fn new(secret: [u8; 32]) -> SharedRateLimiter {
        SharedRateLimiter {
            secret,
            asking: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            paused_until: Mutex::default(),
        }
    }

    /// There are few enough addresses to try them all, so a plain hash would hide none.
    fn key(&self, kind: &str, owner: &BucketOwner) -> String {
        let owner = match owner {
            BucketOwner::IpPrefix(address) => format!("household {address}"),
            BucketOwner::User(id) => format!("person {id}"),
        };
        // HMAC fills a short key with zeros to the hash's block; done here, nothing is left to fail.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.secret);
        let mac = <Hmac<Sha256> as hmac::digest::KeyInit>::new(&block.into())
            .chain_update(format!("call bucket: {kind} of {owner}"));
        base16ct::lower::encode_string(&mac.finalize().into_bytes())
    }

    /// How long to wait; None if the call was counted, or could not be.
    async fn take(&self, shop: &Shop, bucket: TokenBucket) -> Option<Duration> {
        if self.is_paused(Instant::now()) {
            return None;
        }
        // Counting has places of its own, below: a busy shop does not stop counting.
        let (asking, shop) = (self.asking.clone(), shop.finishing());
        let asked = async move {
            let place = asking.acquire_owned().await?;
            // On its own: whoever loses patience keeps the place until the database has answered.
            let taking = tokio::spawn(async move {
                let _place = place;
                timeout(MAX_STATEMENT_TIME, shop.take_token(bucket)).await
            });
            anyhow::Ok(taking.await???)
        };
        let told = timeout(TIMEOUT, asked).await;
        let told = told.unwrap_or_else(|late| Err(late.into()));
        self.record_result(told.as_ref().err(), Instant::now());
        told.ok().flatten()
    }

    fn paused_until(&self) -> MutexGuard<'_, Option<Instant>> {
        let known = self.paused_until.lock();
        known.unwrap_or_else(PoisonError::into_inner)
    }

    fn is_paused(&self, now: Instant) -> bool {
        self.paused_until().is_some_and(|at| now < at)
    }

    fn record_result(&self, failure: Option<&anyhow::Error>, now: Instant) {
        let before = std::mem::replace(
            &mut *self.paused_until(),
            failure.map(|_| now + FAILURE_COOLDOWN),
        );
        if let (Some(error), None) = (failure, before) {
            let error = format!("{error:#}");
            tracing::warn!(error, "calls are not counted together for now");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn ip_prefix(address: &str) -> BucketOwner<'_> {
        BucketOwner::IpPrefix(address.parse().unwrap())
    }

    #[test]
    fn instances_with_one_secret_know_a_bucket_by_the_same_key() {
        let (one, other) = (
            SharedRateLimiter::new([7; 32]),
            SharedRateLimiter::new([7; 32]),
        );
        let keys = [
            one.key("messages", &ip_prefix("203.0.113.9")),
            one.key("messages", &ip_prefix("203.0.113.8")),
            one.key("messages", &ip_prefix("2001:db8::")),
            one.key("sign-ins", &ip_prefix("203.0.113.9")),
            one.key("pictures", &BucketOwner::User("203.0.113.9")),
            one.key("pictures", &BucketOwner::User("asha")),
        ];
        assert_eq!(keys[0], other.key("messages", &ip_prefix("203.0.113.9")));
        assert_eq!(keys[5], other.key("pictures", &BucketOwner::User("asha")));
        let different: HashSet<_> = keys.iter().collect();
        assert_eq!(different.len(), keys.len());
    }

    /// Else whoever has a backup would only have to try four thousand million addresses.
    #[test]
    fn without_the_secret_a_key_says_nothing() {
        let (ours, guess) = (
            SharedRateLimiter::new([7; 32]),
            SharedRateLimiter::new([8; 32]),
        );
        let key = ours.key("messages", &ip_prefix("203.0.113.9"));
        assert_ne!(key, guess.key("messages", &ip_prefix("203.0.113.9")));
        assert_eq!(key.len(), 64);
        assert!(key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    }

    /// As Python's hmac reckons it: another version of the program must not count anew.
    #[test]
    fn a_key_is_the_hmac_that_others_know() {
        let key = SharedRateLimiter::new([7; 32]).key("messages", &ip_prefix("203.0.113.9"));
        assert_eq!(
            key,
            "c6ad0b6fdbac5b0973b60527ab19accf41b0ea1f1e74b59238f6c192948e69fe"
        );
    }

    #[test]
    fn after_a_failure_nobody_is_asked_for_a_while() {
        let (limits, start) = (SharedRateLimiter::new([7; 32]), Instant::now());
        assert!(!limits.is_paused(start));
        limits.record_result(Some(&anyhow::anyhow!("away")), start);
        assert!(limits.is_paused(start + FAILURE_COOLDOWN / 2));
        assert!(!limits.is_paused(start + FAILURE_COOLDOWN));
        limits.record_result(None, start + FAILURE_COOLDOWN);
        assert!(!limits.is_paused(start + FAILURE_COOLDOWN));
    }
}
