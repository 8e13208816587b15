//! The rate limits that all instances share. Their buckets are rows. A client that is rejected here is rejected from
//! memory until its bucket refills, so that a flood does not reach the database. While the database does not respond, the
//! buckets in memory decide alone.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hmac::{Hmac, Mac as _};
use mirasa_app::Shop;
use mirasa_app::repository::operations::rate_limits::TokenBucket;
use sha2::Sha256;
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// How long a request waits for the database.
const TIMEOUT: Duration = Duration::from_secs(1);
/// How long the database is not asked after a failure.
const FAILURE_COOLDOWN: Duration = Duration::from_secs(2);
/// The database connections that rate limiting may use, and how long one statement may run.
const MAX_CONCURRENT: usize = 2;
const MAX_STATEMENT_TIME: Duration = Duration::from_secs(30);

pub struct SharedRateLimiter {
    secret: [u8; 32],
    connections: Arc<Semaphore>,
    /// Set while the database does not respond.
    paused_until: Mutex<Option<Instant>>,
}

/// The owner of a bucket for all instances. Not a session, as in memory: a new sign-in must not give a new bucket.
pub enum BucketOwner<'a> {
    IpPrefix(IpAddr),
    User(&'a str),
}

impl SharedRateLimiter {
    pub fn new(secret: [u8; 32]) -> SharedRateLimiter {
        SharedRateLimiter {
            secret,
            connections: Arc::new(Semaphore::new(MAX_CONCURRENT)),
            paused_until: Mutex::default(),
        }
    }

    /// With a plain hash, someone with a backup could find each address by trying all of them. The texts are part of the
    /// stored keys: they stay as they are.
    pub fn key(&self, limit: &str, owner: &BucketOwner) -> String {
        let owner = match owner {
            BucketOwner::IpPrefix(address) => format!("household {address}"),
            BucketOwner::User(id) => format!("person {id}"),
        };
        // HMAC pads a short key with zeros to the block size. A key of that size cannot be rejected.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.secret);
        let mac = <Hmac<Sha256> as hmac::digest::KeyInit>::new(&block.into())
            .chain_update(format!("call bucket: {limit} of {owner}"));
        base16ct::lower::encode_string(&mac.finalize().into_bytes())
    }

    /// How long to wait; None if a token was taken, or the database could not be asked.
    pub async fn take(&self, shop: &Shop, bucket: TokenBucket) -> Option<Duration> {
        if self.is_paused(Instant::now()) {
            return None;
        }
        // Not limited by the load shedder: rate limits also apply under load.
        let (connections, shop) = (self.connections.clone(), shop.finishing());
        let take = async move {
            let permit = connections.acquire_owned().await?;
            // A task of its own: when the request times out, the permit is held until the database has responded.
            let task = tokio::spawn(async move {
                let _permit = permit;
                timeout(MAX_STATEMENT_TIME, shop.take_token(bucket)).await
            });
            anyhow::Ok(task.await???)
        };
        let result = timeout(TIMEOUT, take).await;
        let result = result.unwrap_or_else(|elapsed| Err(elapsed.into()));
        self.record_result(result.as_ref().err(), Instant::now());
        result.ok().flatten()
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
            tracing::warn!(
                error,
                "shared rate limits are off while the database does not respond"
            );
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
    fn instances_with_one_secret_have_the_same_keys() {
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

    /// Otherwise someone with a backup would only have to try all IPv4 addresses.
    #[test]
    fn key_depends_on_the_secret() {
        let (ours, guess) = (
            SharedRateLimiter::new([7; 32]),
            SharedRateLimiter::new([8; 32]),
        );
        let key = ours.key("messages", &ip_prefix("203.0.113.9"));
        assert_ne!(key, guess.key("messages", &ip_prefix("203.0.113.9")));
        assert_eq!(key.len(), 64);
        assert!(key.bytes().all(|byte| byte.is_ascii_hexdigit()), "{key}");
    }

    /// Computed by Python's hmac: another version of the program must use the same buckets.
    #[test]
    fn key_is_the_hmac_of_limit_and_owner() {
        let key = SharedRateLimiter::new([7; 32]).key("messages", &ip_prefix("203.0.113.9"));
        assert_eq!(
            key,
            "c6ad0b6fdbac5b0973b60527ab19accf41b0ea1f1e74b59238f6c192948e69fe"
        );
    }

    #[test]
    fn failure_starts_a_cooldown() {
        let (limits, start) = (SharedRateLimiter::new([7; 32]), Instant::now());
        assert!(!limits.is_paused(start));
        limits.record_result(Some(&anyhow::anyhow!("away")), start);
        assert!(limits.is_paused(start + FAILURE_COOLDOWN / 2));
        assert!(!limits.is_paused(start + FAILURE_COOLDOWN));
        limits.record_result(None, start + FAILURE_COOLDOWN);
        assert!(!limits.is_paused(start + FAILURE_COOLDOWN));
    }
}
