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
use mirasa_app::ports::limits::TokenBucket;
use mirasa_app::ports::storage::User;
use sha2::Sha256;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::limits::{Caller, Rule, Whose, rules, too_many};
use crate::site::Site;

/// How long a call waits to be counted.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long nobody is asked after one has waited in vain.
const PAUSE: Duration = Duration::from_secs(2);
/// How many connections counting may take from the rest of the shop, and how long one that never ends.
const MOST_AT_ONCE: usize = 2;
const LONGEST: Duration = Duration::from_secs(30);

pub struct SharedLimits {
    secret: [u8; 32],
    asking: Arc<Semaphore>,
    /// Set while the database does not answer: when to ask again.
    ask_again_at: Mutex<Option<Instant>>,
}

/// Whose bucket it is, for all instances. Not a session's, as in memory: signing in anew fills no bucket.
enum Owner<'a> {
    Household(IpAddr),
    Person(&'a str),
}

/// A call that must be counted before it is let in.
pub struct SharedCall {
    rule: Rule,
    bucket: TokenBucket,
    in_memory: u64,
}

impl SharedCall {
    /// None for calls that memory alone counts.
    pub fn of(site: &Site, request: &Request, me: Option<&User>) -> Option<SharedCall> {
        let all = rules(request.method(), request.uri().path());
        let rule = *all.iter().find(|rule| rule.shared)?;
        let caller = Caller::of(site, request)?;
        let owner = match (me, rule.whose) {
            (Some(me), Whose::Session) => Owner::Person(&me.id.0),
            _ => Owner::Household(caller.household),
        };
        Some(SharedCall {
            rule,
            bucket: TokenBucket {
                key: site.shared_limits.key(rule.kind, &owner),
                burst: rule.burst,
                refill_interval: rule.every,
            },
            in_memory: caller.bucket(&site.limits, &rule),
        })
    }

    pub async fn refuse(self, site: &Site) -> Option<Response> {
        let wait = site.shared_limits.take(&site.shop, self.bucket).await?;
        let now = Instant::now();
        site.limits.empty(&self.rule, self.in_memory, wait, now);
        Some(too_many(wait))
    }
}

impl SharedLimits {
    pub fn new(secret: [u8; 32]) -> SharedLimits {
        SharedLimits {
            secret,
            asking: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            ask_again_at: Mutex::default(),
        }
    }

    /// There are few enough addresses to try them all, so a plain hash would hide none.
    fn key(&self, kind: &str, owner: &Owner) -> String {
        let owner = match owner {
            Owner::Household(address) => format!("household {address}"),
            Owner::Person(id) => format!("person {id}"),
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
        if self.is_alone(Instant::now()) {
            return None;
        }
        // Counting has places of its own, below: a busy shop does not stop counting.
        let (asking, shop) = (self.asking.clone(), shop.finishing());
        let asked = async move {
            let place = asking.acquire_owned().await?;
            // On its own: whoever loses patience keeps the place until the database has answered.
            let taking = tokio::spawn(async move {
                let _place = place;
                timeout(LONGEST, shop.take_token(bucket)).await
            });
            anyhow::Ok(taking.await???)
        };
        let told = timeout(PATIENCE, asked).await;
        let told = told.unwrap_or_else(|late| Err(late.into()));
        self.note(told.as_ref().err(), Instant::now());
        told.ok().flatten()
    }

    fn ask_again_at(&self) -> MutexGuard<'_, Option<Instant>> {
        let known = self.ask_again_at.lock();
        known.unwrap_or_else(PoisonError::into_inner)
    }

    fn is_alone(&self, now: Instant) -> bool {
        self.ask_again_at().is_some_and(|at| now < at)
    }

    fn note(&self, failure: Option<&anyhow::Error>, now: Instant) {
        let before = std::mem::replace(&mut *self.ask_again_at(), failure.map(|_| now + PAUSE));
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

    fn household(address: &str) -> Owner<'_> {
        Owner::Household(address.parse().unwrap())
    }

    #[test]
    fn instances_with_one_secret_know_a_bucket_by_the_same_key() {
        let (one, other) = (SharedLimits::new([7; 32]), SharedLimits::new([7; 32]));
        let keys = [
            one.key("messages", &household("203.0.113.9")),
            one.key("messages", &household("203.0.113.8")),
            one.key("messages", &household("2001:db8::")),
            one.key("sign-ins", &household("203.0.113.9")),
            one.key("pictures", &Owner::Person("203.0.113.9")),
            one.key("pictures", &Owner::Person("asha")),
        ];
        assert_eq!(keys[0], other.key("messages", &household("203.0.113.9")));
        assert_eq!(keys[5], other.key("pictures", &Owner::Person("asha")));
        let different: HashSet<_> = keys.iter().collect();
        assert_eq!(different.len(), keys.len());
    }

    /// Else whoever has a backup would only have to try four thousand million addresses.
    #[test]
    fn without_the_secret_a_key_says_nothing() {
        let (ours, guess) = (SharedLimits::new([7; 32]), SharedLimits::new([8; 32]));
        let key = ours.key("messages", &household("203.0.113.9"));
        assert_ne!(key, guess.key("messages", &household("203.0.113.9")));
        assert_eq!(key.len(), 64);
        assert!(key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    }

    /// As Python's hmac reckons it: another version of the program must not count anew.
    #[test]
    fn a_key_is_the_hmac_that_others_know() {
        let key = SharedLimits::new([7; 32]).key("messages", &household("203.0.113.9"));
        assert_eq!(
            key,
            "c6ad0b6fdbac5b0973b60527ab19accf41b0ea1f1e74b59238f6c192948e69fe"
        );
    }

    #[test]
    fn after_a_failure_nobody_is_asked_for_a_while() {
        let (limits, start) = (SharedLimits::new([7; 32]), Instant::now());
        assert!(!limits.is_alone(start));
        limits.note(Some(&anyhow::anyhow!("away")), start);
        assert!(limits.is_alone(start + PAUSE / 2));
        assert!(!limits.is_alone(start + PAUSE));
        limits.note(None, start + PAUSE);
        assert!(!limits.is_alone(start + PAUSE));
    }
}
