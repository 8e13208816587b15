//! The client of a request, as rate limits see it.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use mirasa_app::secret::Secret;

use crate::extract::client_ip::{client_ip, ip_prefix};
use crate::extract::cookies::{self, Cookie};
use crate::guard::rate_limit::limiter::RateLimiter;
use crate::guard::rate_limit::limits::{RateLimit, RateLimitKey};
use crate::settings::HttpSettings;

/// What identifies a client.
pub struct Client {
    pub ip_prefix: IpAddr,
    session: Option<Secret>,
}

impl Client {
    /// None where rate limits are off.
    pub fn of(settings: &HttpSettings, request: &Request) -> Option<Client> {
        if !settings.rate_limit {
            return None;
        }
        let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
        let headers = request.headers();
        let address = client_ip(peer.ip(), headers, &settings.trusted_proxies);
        Some(Client {
            ip_prefix: ip_prefix(address),
            session: cookies::read(settings, headers, Cookie::Session),
        })
    }

    /// The key of the client's bucket in this instance.
    pub fn bucket(&self, limiter: &RateLimiter, limit: &RateLimit) -> u64 {
        match (&self.session, limit.key) {
            (Some(session), RateLimitKey::Session) => limiter.bucket_key(limit, session.expose()),
            _ => limiter.bucket_key(limit, self.ip_prefix),
        }
    }
}
