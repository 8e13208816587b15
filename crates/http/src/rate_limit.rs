//! Too many calls. Every visitor has a bucket of calls for each kind of call; it empties with use and
//! fills again with time. The buckets are large enough that a person never meets their bottom, and
//! forgotten once they are full again, so that memory stays small. What is kept here counts for this
//! instance; `shared_limits` has what all instances count together.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use http::{HeaderValue, Method, header};
use mirasa_app::ErrorCode;
use mirasa_app::secret::Secret;
use mirasa_domain::user::User;

use crate::client_ip::{client_ip, ip_prefix};
use crate::cookies::{self, Cookie};
use crate::error::error_response;
use crate::state::AppState;

/// A bucket of `burst` calls into which one comes back `every` so often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RateLimit {
    pub whose: RateLimitKey,
    pub kind: &'static str,
    pub burst: u32,
    pub every: Duration,
    /// Whether all instances count together.
    pub shared: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RateLimitKey {
    Address,
    /// Whoever has no session is held by their address alone.
    Session,
    /// Counted once the guard knows who it is: signing in anew fills no bucket.
    Person,
}

const fn rate_limit(
    whose: RateLimitKey,
    kind: &'static str,
    burst: u32,
    every_ms: u64,
) -> RateLimit {
    RateLimit {
        whose,
        kind,
        burst,
        every: Duration::from_millis(every_ms),
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

// Many people may share one address: a college, a phone company.
const PAGE: RateLimit = rate_limit(RateLimitKey::Address, "pages", 600, 10);
const API_READ: RateLimit = rate_limit(RateLimitKey::Address, "calls", 300, 20);
const API_WRITE: RateLimit = rate_limit(RateLimitKey::Session, "changes", 100, 50);
const SIGN_IN: RateLimit = rate_limit(RateLimitKey::Address, "sign-ins", 120, 500).shared();
const CONTACT: RateLimit = rate_limit(RateLimitKey::Address, "messages", 20, 10_000).shared();
/// Not shared: a customer has one unpaid order on all instances together, and an order's statements are counted.
const CHECKOUT: RateLimit = rate_limit(RateLimitKey::Person, "checkouts", 20, 2_000);
const UPLOAD: RateLimit = rate_limit(RateLimitKey::Session, "pictures", 20, 2_000).shared();
/// Six an hour: decoding one takes a second of processor time, and anybody may send some.
const PROFILE_PICTURES: RateLimit =
    rate_limit(RateLimitKey::Session, "profile pictures", 6, 600_000).shared();
/// Pages of what somebody typed are rendered for them alone. Beyond this the browser does it.
const SEARCH_PAGES: RateLimit = rate_limit(RateLimitKey::Address, "search pages", 10, 3_000);

pub fn rules(method: &Method, path: &str) -> &'static [RateLimit] {
    // One page asks for sixty of these, and they are copies from memory or disk.
    // The gateway's calls come from few addresses, all at once after an outage, and are signed.
    let free = ["/images/", "/assets/", "/sandbox/", "/api/payment/webhook/"];
    if free.iter().any(|start| path.starts_with(start))
        || matches!(path, "/healthz" | "/readyz" | "/metrics")
    {
        return &[];
    }
    if !path.starts_with("/api/") {
        return &[PAGE];
    }
    match path {
        "/api/auth/google/login" => &[API_READ, SIGN_IN],
        "/api/api/queries" => &[API_READ, CONTACT],
        "/api/cart/checkout" => &[API_READ, API_WRITE, CHECKOUT],
        _ if path.starts_with("/api/user/orders/") && path.ends_with("/pay-again") => {
            &[API_READ, API_WRITE, CHECKOUT]
        }
        "/api/user/profile-picture" => &[API_READ, API_WRITE, PROFILE_PICTURES],
        "/api/admin/upload-images" => &[API_READ, API_WRITE, UPLOAD],
        _ if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) => &[API_READ],
        _ => &[API_READ, API_WRITE],
    }
}

/// Past this many buckets in use at one time, all are thrown away: better a moment without limits than
/// a shop without memory.
const MAX_BUCKETS: usize = 200_000;

/// All buckets that are not full.
#[derive(Default)]
pub struct RateLimiter {
    /// Its secret keeps outsiders from guessing whose bucket collides with whose.
    hasher: RandomState,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    full_at: HashMap<u64, Instant>,
    sweep_at: usize,
}

impl RateLimiter {
    /// Takes one call out of each bucket, or none and tells how long to wait.
    fn take_tokens(&self, buckets: &[(RateLimit, u64)], now: Instant) -> Result<(), Duration> {
        let mut all = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        all.sweep(now);
        let full_at_after = |all: &Buckets, rule: &RateLimit, key: &u64| {
            all.full_at.get(key).map_or(now, |at| now.max(*at)) + rule.every
        };
        let wait = buckets.iter().filter_map(|(rule, key)| {
            let taken = full_at_after(&all, rule, key) - now;
            taken.checked_sub(rule.every * rule.burst)
        });
        match wait.max() {
            Some(wait) if wait > Duration::ZERO => return Err(wait),
            _ => {}
        }
        for (rule, key) in buckets {
            let full_at = full_at_after(&all, rule, key);
            all.full_at.insert(*key, full_at);
        }
        Ok(())
    }

    /// The other instances have let so many in that this bucket is empty, and one call comes back after
    /// `wait`: until then nobody else needs to be asked.
    pub fn drain(&self, rule: &RateLimit, key: u64, wait: Duration, now: Instant) {
        let full_at = now + wait + rule.every * rule.burst.saturating_sub(1);
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
            tracing::warn!("more visitors at once than the rate limits can hold: beginning anew");
            self.full_at.clear();
        }
        // Twice as many again before the next look, so that looking stays cheap.
        self.sweep_at = self.full_at.len() * 2;
    }
}

pub fn check(state: &AppState, request: &Request) -> Option<Response> {
    retry_after(state, request).map(rate_limited)
}

fn retry_after(state: &AppState, request: &Request) -> Option<Duration> {
    let rules = rules(request.method(), request.uri().path());
    if rules.is_empty() {
        return None;
    }
    let caller = Client::of(state, request)?;
    let buckets: Vec<_> = rules
        .iter()
        .filter(|rule| rule.whose != RateLimitKey::Person)
        .map(|rule| (*rule, caller.bucket(&state.rate_limiter, rule)))
        .collect();
    state
        .rate_limiter
        .take_tokens(&buckets, Instant::now())
        .err()
}

/// What is counted by person, whatever session they come with.
pub fn refuse_person(state: &AppState, request: &Request, me: &User) -> Option<Response> {
    if !state.settings.rate_limit {
        return None;
    }
    let rules = rules(request.method(), request.uri().path());
    let buckets: Vec<_> = rules
        .iter()
        .filter(|rule| rule.whose == RateLimitKey::Person)
        .map(|rule| (*rule, state.rate_limiter.hasher.hash_one((rule, &me.id.0))))
        .collect();
    let taken = state.rate_limiter.take_tokens(&buckets, Instant::now());
    taken.err().map(rate_limited)
}

/// Whether a page may be rendered for this visitor alone.
pub fn may_render(state: &AppState, request: &Request) -> bool {
    let Some(caller) = Client::of(state, request) else {
        return true;
    };
    let bucket = caller.bucket(&state.rate_limiter, &SEARCH_PAGES);
    let taken = state
        .rate_limiter
        .take_tokens(&[(SEARCH_PAGES, bucket)], Instant::now());
    taken.is_ok()
}

/// Whoever makes a call, as far as the buckets care.
pub struct Client {
    pub ip_prefix: IpAddr,
    session: Option<Secret>,
}

impl Client {
    /// None where nobody is counted.
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

    /// Their bucket in this instance's memory.
    pub fn bucket(&self, limits: &RateLimiter, rule: &RateLimit) -> u64 {
        match (&self.session, rule.whose) {
            (Some(session), RateLimitKey::Session) => {
                limits.hasher.hash_one((rule, session.expose()))
            }
            _ => limits.hasher.hash_one((rule, self.ip_prefix)),
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

    const SMALL: RateLimit = rate_limit(RateLimitKey::Address, "test", 3, 100);
    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        let take = |key, at| limits.take_tokens(&[(SMALL, key)], at);
        for _ in 0..3 {
            assert_eq!(take(1, start), Ok(()));
        }
        assert_eq!(take(1, start), Err(100 * MS));
        assert_eq!(
            take(1, start + 30 * MS),
            Err(70 * MS),
            "a refusal costs nothing"
        );
        assert_eq!(take(2, start), Ok(()), "somebody else's bucket is full");
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
    fn a_call_that_one_bucket_refuses_takes_nothing_out_of_the_others() {
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
    fn what_others_have_used_up_is_used_up_here() {
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
            "it fills no faster for that"
        );
        assert_eq!(take(start + 10_000 * MS), Ok(()), "not for ever");
    }

    #[test]
    fn buckets_that_are_full_again_are_forgotten() {
        let (limits, start) = (RateLimiter::default(), Instant::now());
        for key in 0..50_000 {
            let at = start + MS * u32::try_from(key).unwrap();
            assert_eq!(limits.take_tokens(&[(SMALL, key)], at), Ok(()));
        }
        let held = limits.buckets.lock().unwrap().full_at.len();
        assert!(held <= 1000, "{held} buckets are held for 100 visitors");
    }

    #[test]
    fn what_costs_more_is_held_tighter() {
        let kinds = |method: Method, path: &str| {
            let of = rules(&method, path).iter().map(|rule| rule.kind);
            of.collect::<Vec<_>>().join(" ")
        };
        for (method, path, expected) in [
            (Method::GET, "/", "pages"),
            (Method::GET, "/assets/index.js", ""),
            (Method::GET, "/images/products/x.webp", ""),
            (Method::GET, "/healthz", ""),
            (Method::POST, "/api/payment/webhook/phonepe", ""),
            (Method::GET, "/api/cart/cart", "calls"),
            (Method::PUT, "/api/cart/update", "calls changes"),
            (Method::GET, "/api/auth/google/login", "calls sign-ins"),
            (Method::POST, "/api/api/queries", "calls messages"),
            (
                Method::PUT,
                "/api/user/profile-picture",
                "calls changes profile pictures",
            ),
            (
                Method::POST,
                "/api/cart/checkout",
                "calls changes checkouts",
            ),
            (
                Method::POST,
                "/api/user/orders/018f/pay-again",
                "calls changes checkouts",
            ),
            (Method::GET, "/api/user/orders/018f", "calls"),
        ] {
            assert_eq!(kinds(method, path), expected, "{path}");
        }
    }
}
