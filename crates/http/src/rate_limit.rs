//! Rate limits. Each client has a token bucket for each limit: a request takes a token, and one comes back after each
//! refill interval. The buckets are so large that normal use never empties them. A bucket that is full again is deleted, so
//! memory stays small. These buckets count for one instance; `shared_rate_limit` has those that all instances share.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use http::{HeaderValue, header};
use mirasa_app::ErrorCode;
use mirasa_app::secret::Secret;
use mirasa_domain::user::User;

use crate::client_ip::{client_ip, ip_prefix};
use crate::cookies::{self, Cookie};
use crate::error::error_response;
use crate::state::AppState;

/// A token bucket of `burst` requests. One token comes back after each `refill_interval`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RateLimit {
    pub key: RateLimitKey,
    pub name: &'static str,
    pub burst: u32,
    pub refill_interval: Duration,
    /// All instances count together.
    pub shared: bool,
}

/// What a bucket belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateLimitKey {
    IpPrefix,
    /// The IP prefix where there is no session.
    Session,
    /// Checked after authentication. A new sign-in does not give a new bucket.
    User,
}

const fn rate_limit(
    key: RateLimitKey,
    name: &'static str,
    burst: u32,
    refill_ms: u64,
) -> RateLimit {
    RateLimit {
        key,
        name,
        burst,
        refill_interval: Duration::from_millis(refill_ms),
        shared: false,
    }
}

impl RateLimit {
    const fn shared(self) -> RateLimit {
        RateLimit {
            shared: true,
            ..self
        }
    }
}

// Many customers may share one IP address: a college, a mobile network.
const PAGE: RateLimit = rate_limit(RateLimitKey::IpPrefix, "pages", 600, 10);
const READ: RateLimit = rate_limit(RateLimitKey::IpPrefix, "calls", 300, 20);
const WRITE: RateLimit = rate_limit(RateLimitKey::Session, "changes", 100, 50);
const SIGN_IN: RateLimit = rate_limit(RateLimitKey::IpPrefix, "sign-ins", 120, 500).shared();
const CONTACT: RateLimit = rate_limit(RateLimitKey::IpPrefix, "messages", 20, 10_000).shared();
/// Not shared: a customer can have one unpaid order on all instances together, and sharing would cost each checkout a
/// statement.
const CHECKOUT: RateLimit = rate_limit(RateLimitKey::User, "checkouts", 20, 2_000);
const UPLOAD: RateLimit = rate_limit(RateLimitKey::Session, "pictures", 20, 2_000).shared();
/// Six an hour: decoding one takes a second of processor time, and every customer may send some.
const PROFILE_PICTURE: RateLimit =
    rate_limit(RateLimitKey::Session, "profile pictures", 6, 600_000).shared();
/// The page of a typed search is rendered for one visitor only. Beyond this limit the browser renders it.
const SEARCH_PAGE: RateLimit = rate_limit(RateLimitKey::IpPrefix, "search pages", 10, 3_000);

/// The limits of a route, as its line in the route table states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateClass {
    Unlimited,
    Page,
    Read,
    Write,
    SignIn,
    Contact,
    Checkout,
    ProfilePicture,
    Upload,
}

impl RateClass {
    pub const fn limits(self) -> &'static [RateLimit] {
        match self {
            RateClass::Unlimited => &[],
            RateClass::Page => &[PAGE],
            RateClass::Read => &[READ],
            RateClass::Write => &[READ, WRITE],
            RateClass::SignIn => &[READ, SIGN_IN],
            RateClass::Contact => &[READ, CONTACT],
            RateClass::Checkout => &[READ, WRITE, CHECKOUT],
            RateClass::ProfilePicture => &[READ, WRITE, PROFILE_PICTURE],
            RateClass::Upload => &[READ, WRITE, UPLOAD],
        }
    }
}

/// With more buckets than this in use, all are deleted: a short time without limits is better than running out of memory.
const MAX_BUCKETS: usize = 200_000;

/// The buckets that are not full.
#[derive(Default)]
pub struct RateLimiter {
    /// Its random seed prevents that clients find colliding keys.
    hasher: RandomState,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    full_at: HashMap<u64, Instant>,
    sweep_at: usize,
}

impl RateLimiter {
    /// Takes one token from each bucket, or none if one of them is empty; then returns how long to wait.
    fn take_tokens(&self, buckets: &[(RateLimit, u64)], now: Instant) -> Result<(), Duration> {
        let mut all = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        all.sweep(now);
        let full_at_after = |all: &Buckets, limit: &RateLimit, key: &u64| {
            all.full_at.get(key).map_or(now, |at| now.max(*at)) + limit.refill_interval
        };
        let wait = buckets.iter().filter_map(|(limit, key)| {
            let taken = full_at_after(&all, limit, key) - now;
            taken.checked_sub(limit.refill_interval * limit.burst)
        });
        match wait.max() {
            Some(wait) if wait > Duration::ZERO => return Err(wait),
            _ => {}
        }
        for (limit, key) in buckets {
            let full_at = full_at_after(&all, limit, key);
            all.full_at.insert(*key, full_at);
        }
        Ok(())
    }

    /// All instances together have emptied this bucket; one token comes back after `wait`. Until then the database need
    /// not be asked again.
    pub fn drain(&self, limit: &RateLimit, key: u64, wait: Duration, now: Instant) {
        let full_at = now + wait + limit.refill_interval * limit.burst.saturating_sub(1);
        let mut all = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.full_at.entry(key).or_insert(full_at);
        *known = full_at.max(*known);
    }
}

impl Buckets {
    fn sweep(&mut self, now: Instant) {
        if self.full_at.len() < self.sweep_at.max(1000) {
            return;
        }
        self.full_at.retain(|_, full_at| *full_at > now);
        if self.full_at.len() > MAX_BUCKETS {
            tracing::warn!("too many rate limit buckets: all are reset");
            self.full_at.clear();
        }
        // The next sweep comes when the number has doubled, so that sweeping stays cheap.
        self.sweep_at = self.full_at.len() * 2;
    }
}

/// The response to a request beyond a limit. Limits by user are checked later, by `check_user`.
pub fn check(state: &AppState, limits: &[RateLimit], request: &Request) -> Option<Response> {
    if limits.is_empty() {
        return None;
    }
    let client = Client::of(state, request)?;
    let buckets: Vec<_> = limits
        .iter()
        .filter(|limit| limit.key != RateLimitKey::User)
        .map(|limit| (*limit, client.bucket(&state.rate_limiter, limit)))
        .collect();
    let taken = state.rate_limiter.take_tokens(&buckets, Instant::now());
    taken.err().map(rate_limited)
}

/// The response to a user beyond a limit, in whatever session.
pub fn check_user(state: &AppState, limits: &[RateLimit], user: &User) -> Option<Response> {
    if !state.settings.rate_limit {
        return None;
    }
    let hasher = &state.rate_limiter.hasher;
    let buckets: Vec<_> = limits
        .iter()
        .filter(|limit| limit.key == RateLimitKey::User)
        .map(|limit| (*limit, hasher.hash_one((limit, &user.id.0))))
        .collect();
    let taken = state.rate_limiter.take_tokens(&buckets, Instant::now());
    taken.err().map(rate_limited)
}

/// Whether a page may be rendered for this visitor only.
pub fn may_render(state: &AppState, request: &Request) -> bool {
    let Some(client) = Client::of(state, request) else {
        return true;
    };
    let bucket = client.bucket(&state.rate_limiter, &SEARCH_PAGE);
    let taken = state
        .rate_limiter
        .take_tokens(&[(SEARCH_PAGE, bucket)], Instant::now());
    taken.is_ok()
}

/// What identifies a client.
pub struct Client {
    pub ip_prefix: IpAddr,
    session: Option<Secret>,
}

impl Client {
    /// None where rate limits are off.
    pub fn of(state: &AppState, request: &Request) -> Option<Client> {
        if !state.settings.rate_limit {
            return None;
        }
        let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
        let headers = request.headers();
        let address = client_ip(peer.ip(), headers, &state.settings.trusted_proxies);
        Some(Client {
            ip_prefix: ip_prefix(address),
            session: cookies::read(state, headers, Cookie::Session),
        })
    }

    /// The key of the client's bucket in this instance.
    pub fn bucket(&self, limiter: &RateLimiter, limit: &RateLimit) -> u64 {
        match (&self.session, limit.key) {
            (Some(session), RateLimitKey::Session) => {
                limiter.hasher.hash_one((limit, session.expose()))
            }
            _ => limiter.hasher.hash_one((limit, self.ip_prefix)),
        }
    }
}

pub fn rate_limited(wait: Duration) -> Response {
    let seconds = wait.as_millis().div_ceil(1000).max(1);
    let minutes = seconds.div_ceil(60);
    let text = match minutes {
        0 | 1 => "Too many requests. Please try again in a moment.".into(),
        _ => format!("Too many requests. Please try again in {minutes} minutes."),
    };
    let mut response = error_response(ErrorCode::RateLimited, &text);
    if let Ok(seconds) = HeaderValue::from_str(&seconds.to_string()) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: RateLimit = rate_limit(RateLimitKey::IpPrefix, "test", 3, 100);
    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn bucket_empties_and_refills() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        let take = |key, at| limits.take_tokens(&[(SMALL, key)], at);
        for _ in 0..3 {
            assert_eq!(take(1, start), Ok(()));
        }
        assert_eq!(take(1, start), Err(100 * MS));
        assert_eq!(
            take(1, start + 30 * MS),
            Err(70 * MS),
            "a rejected request takes no token"
        );
        assert_eq!(take(2, start), Ok(()), "another client's bucket is full");
        assert_eq!(take(1, start + 100 * MS), Ok(()));
        assert_eq!(take(1, start + 100 * MS), Err(100 * MS));
        let later = start + 10_000 * MS;
        for _ in 0..3 {
            assert_eq!(take(1, later), Ok(()));
        }
        assert!(
            take(1, later).is_err(),
            "it never holds more than its burst"
        );
    }

    #[test]
    fn rejected_request_takes_no_token_from_other_buckets() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        for _ in 0..3 {
            assert_eq!(limits.take_tokens(&[(SMALL, 1)], start), Ok(()));
        }
        for _ in 0..9 {
            assert!(
                limits
                    .take_tokens(&[(SMALL, 1), (SMALL, 2)], start)
                    .is_err()
            );
        }
        assert_eq!(limits.take_tokens(&[(SMALL, 2)], start), Ok(()));
    }

    #[test]
    fn bucket_emptied_by_other_instances_is_empty_in_memory() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        let take = |at| limits.take_tokens(&[(SMALL, 1)], at);
        limits.drain(&SMALL, 1, 40 * MS, start);
        assert_eq!(take(start), Err(40 * MS));
        assert_eq!(take(start + 40 * MS), Ok(()));
        assert_eq!(take(start + 40 * MS), Err(100 * MS));
        limits.drain(&SMALL, 1, 10 * MS, start + 40 * MS);
        assert_eq!(
            take(start + 40 * MS),
            Err(100 * MS),
            "draining must not fill it"
        );
        assert_eq!(take(start + 10_000 * MS), Ok(()), "it fills again");
    }

    #[test]
    fn full_buckets_are_deleted() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        for key in 0..50_000 {
            let at = start + MS * u32::try_from(key).unwrap();
            assert_eq!(limits.take_tokens(&[(SMALL, key)], at), Ok(()));
        }
        let held = limits.buckets.lock().unwrap().full_at.len();
        assert!(held <= 1000, "{held} buckets for 100 clients");
    }
}
