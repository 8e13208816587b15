//! Too many calls. Every visitor has a bucket of calls for each kind of call; it empties with use and
//! fills again with time. The buckets are large enough that a person never meets their bottom, and
//! forgotten once they are full again, so that memory stays small.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request};
use axum::response::Response;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use ipnet::IpNet;

use crate::cookies::{self, Cookie};
use crate::error::error_response;
use crate::site::Site;

/// A bucket of `burst` calls into which one comes back `every` so often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Rule {
    whose: Whose,
    kind: &'static str,
    burst: u32,
    every: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Whose {
    Address,
    /// Whoever has no session is held by their address alone.
    Session,
}

const fn rule(whose: Whose, kind: &'static str, burst: u32, every_ms: u64) -> Rule {
    Rule {
        whose,
        kind,
        burst,
        every: Duration::from_millis(every_ms),
    }
}

// Many people may share one address: a college, a phone company.
const PAGES: Rule = rule(Whose::Address, "pages", 600, 10);
const CALLS: Rule = rule(Whose::Address, "calls", 300, 20);
const CHANGES: Rule = rule(Whose::Session, "changes", 100, 50);
const SIGN_INS: Rule = rule(Whose::Address, "sign-ins", 120, 500);
const MESSAGES: Rule = rule(Whose::Address, "messages", 20, 10_000);
const CHECKOUTS: Rule = rule(Whose::Session, "checkouts", 20, 2_000);
const PICTURES: Rule = rule(Whose::Session, "pictures", 20, 2_000);

fn rules(method: &Method, path: &str) -> &'static [Rule] {
    // One page asks for sixty of these, and they are copies from memory or disk.
    // The gateway's calls come from few addresses, all at once after an outage, and are signed.
    let free = ["/images/", "/assets/", "/sandbox/", "/api/payment/webhook/"];
    if free.iter().any(|start| path.starts_with(start))
        || matches!(path, "/healthz" | "/readyz" | "/metrics")
    {
        return &[];
    }
    if !path.starts_with("/api/") {
        return &[PAGES];
    }
    match path {
        "/api/auth/google/login" => &[CALLS, SIGN_INS],
        "/api/api/queries" => &[CALLS, MESSAGES],
        "/api/cart/checkout" => &[CALLS, CHANGES, CHECKOUTS],
        "/api/user/profile-picture" | "/api/admin/upload-images" => &[CALLS, CHANGES, PICTURES],
        _ if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) => &[CALLS],
        _ => &[CALLS, CHANGES],
    }
}

/// Past this many buckets in use at one time, all are thrown away: better a moment without limits than
/// a shop without memory.
const MOST_BUCKETS: usize = 200_000;

/// All buckets that are not full.
#[derive(Default)]
pub struct Limits {
    /// Its secret keeps outsiders from guessing whose bucket collides with whose.
    hasher: RandomState,
    buckets: Mutex<Buckets>,
}

#[derive(Default)]
struct Buckets {
    full_at: HashMap<u64, Instant>,
    sweep_at: usize,
}

impl Limits {
    /// Takes one call out of each bucket, or none and tells how long to wait.
    fn take(&self, buckets: &[(Rule, u64)], now: Instant) -> Result<(), Duration> {
        let mut all = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        all.sweep(now);
        let full_at_after = |all: &Buckets, rule: &Rule, key: &u64| {
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
}

impl Buckets {
    fn sweep(&mut self, now: Instant) {
        if self.full_at.len() < self.sweep_at.max(1000) {
            return;
        }
        self.full_at.retain(|_, full_at| *full_at > now);
        if self.full_at.len() > MOST_BUCKETS {
            tracing::warn!("more visitors at once than the rate limits can hold: beginning anew");
            self.full_at.clear();
        }
        // Twice as many again before the next look, so that looking stays cheap.
        self.sweep_at = self.full_at.len() * 2;
    }
}

pub fn refuse(site: &Site, request: &Request) -> Option<Response> {
    must_wait(site, request).map(too_many)
}

fn must_wait(site: &Site, request: &Request) -> Option<Duration> {
    if !site.settings.rate_limit {
        return None;
    }
    let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
    let headers = request.headers();
    let address = visitor(peer.ip(), headers, &site.settings.trusted_proxies);
    let session = cookies::read(site, headers, Cookie::Session);
    let buckets: Vec<(Rule, u64)> = rules(request.method(), request.uri().path())
        .iter()
        .map(|rule| {
            let key = match (&session, rule.whose) {
                (Some(session), Whose::Session) => {
                    site.limits.hasher.hash_one((rule, session.expose()))
                }
                _ => site.limits.hasher.hash_one((rule, household(address))),
            };
            (*rule, key)
        })
        .collect();
    site.limits.take(&buckets, Instant::now()).err()
}

fn too_many(wait: Duration) -> Response {
    let mut response = error_response(
        StatusCode::TOO_MANY_REQUESTS,
        "Too many requests. Please try again in a moment.",
    );
    let seconds = wait.as_millis().div_ceil(1000).max(1);
    if let Ok(seconds) = HeaderValue::from_str(&seconds.to_string()) {
        response.headers_mut().insert(header::RETRY_AFTER, seconds);
    }
    response
}

/// Who really asks. Anybody can write X-Forwarded-For, so it is read from its end, and only as far as
/// trusted proxies wrote it.
pub(crate) fn visitor(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|proxy| proxy.contains(&address));
    let mut visitor = peer.to_canonical();
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let mut hops = lines.flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
    while is_trusted(visitor) {
        let hop = hops.next().map(str::trim).and_then(|hop| {
            let with_port = || hop.parse().map(|address: SocketAddr| address.ip());
            hop.parse().or_else(|_| with_port()).ok()
        });
        let Some(hop) = hop else { break };
        visitor = IpAddr::to_canonical(&hop);
    }
    visitor
}

/// A household with IPv6 has a whole /64 of addresses to itself.
fn household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Rule = rule(Whose::Address, "test", 3, 100);
    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let (limits, start) = (Limits::default(), Instant::now());
        let take = |key, at| limits.take(&[(SMALL, key)], at);
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
        let (limits, start) = (Limits::default(), Instant::now());
        for _ in 0..3 {
            assert_eq!(limits.take(&[(SMALL, 1)], start), Ok(()));
        }
        for _ in 0..9 {
            assert!(limits.take(&[(SMALL, 1), (SMALL, 2)], start).is_err());
        }
        assert_eq!(limits.take(&[(SMALL, 2)], start), Ok(()));
    }

    #[test]
    fn buckets_that_are_full_again_are_forgotten() {
        let (limits, start) = (Limits::default(), Instant::now());
        for key in 0..50_000 {
            let at = start + MS * u32::try_from(key).unwrap();
            assert_eq!(limits.take(&[(SMALL, key)], at), Ok(()));
        }
        let held = limits.buckets.lock().unwrap().full_at.len();
        assert!(held <= 1000, "{held} buckets are held for 100 visitors");
    }

    #[test]
    fn an_address_is_believed_only_where_a_trusted_proxy_wrote_it() {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        let seen = |peer: &str, forwarded: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append("x-forwarded-for", line.parse().unwrap());
            }
            visitor(peer.parse().unwrap(), &headers, &trusted).to_string()
        };
        assert_eq!(seen("203.0.113.9", &["198.51.100.7"]), "203.0.113.9");
        assert_eq!(seen("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(seen("10.0.0.1", &["6.6.6.6, 198.51.100.7"]), "198.51.100.7");
        assert_eq!(
            seen("10.0.0.1", &["6.6.6.6", "198.51.100.7, 10.0.0.2"]),
            "198.51.100.7"
        );
        assert_eq!(seen("::1", &["198.51.100.7:4711"]), "198.51.100.7");
        assert_eq!(
            seen("::ffff:10.0.0.1", &["[2001:db8::7]:80"]),
            "2001:db8::7"
        );
        assert_eq!(seen("10.0.0.1", &["nonsense"]), "10.0.0.1");
        assert_eq!(seen("10.0.0.1", &[]), "10.0.0.1");
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
                Method::POST,
                "/api/cart/checkout",
                "calls changes checkouts",
            ),
        ] {
            assert_eq!(kinds(method, path), expected, "{path}");
        }
    }

    #[test]
    fn a_household_shares_its_address() {
        let of = |text: &str| household(text.parse().unwrap());
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_ne!(of("203.0.113.1"), of("203.0.113.2"));
    }
}
