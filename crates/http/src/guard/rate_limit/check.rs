//! Checks a request against its limits, in memory and in the database.

use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::response::Response;
use http::{HeaderValue, header};
use mirasa_app::ErrorCode;
use mirasa_app::repository::operations::rate_limits::TokenBucket;
use mirasa_domain::user::User;

use crate::error::error_response;
use crate::guard::rate_limit::client::Client;
use crate::guard::rate_limit::limits::{RateLimit, RateLimitKey, SEARCH_PAGE};
use crate::guard::rate_limit::shared::BucketOwner;
use crate::state::AppState;

/// The response to a request beyond a limit. Limits by user are checked later, by `check_user`.
pub fn check_request(
    state: &AppState,
    limits: &[RateLimit],
    request: &Request,
) -> Option<Response> {
    if limits.is_empty() {
        return None;
    }
    let client = Client::of(&state.settings, request)?;
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
    let buckets: Vec<_> = limits
        .iter()
        .filter(|limit| limit.key == RateLimitKey::User)
        .map(|limit| (*limit, state.rate_limiter.bucket_key(limit, &user.id.0)))
        .collect();
    let taken = state.rate_limiter.take_tokens(&buckets, Instant::now());
    taken.err().map(rate_limited)
}

/// Whether a page may be rendered for this visitor only.
pub fn may_render(state: &AppState, request: &Request) -> bool {
    let Some(client) = Client::of(&state.settings, request) else {
        return true;
    };
    let bucket = client.bucket(&state.rate_limiter, &SEARCH_PAGE);
    let taken = state
        .rate_limiter
        .take_tokens(&[(SEARCH_PAGE, bucket)], Instant::now());
    taken.is_ok()
}

/// A request that takes a token from a shared bucket.
pub struct SharedCheck {
    limit: RateLimit,
    bucket: TokenBucket,
    in_memory: u64,
}

impl SharedCheck {
    /// None for routes without a shared limit.
    pub fn of(
        state: &AppState,
        limits: &[RateLimit],
        request: &Request,
        user: Option<&User>,
    ) -> Option<SharedCheck> {
        let limit = *limits.iter().find(|limit| limit.shared)?;
        let client = Client::of(&state.settings, request)?;
        let owner = match (user, limit.key) {
            (Some(user), RateLimitKey::Session) => BucketOwner::User(&user.id.0),
            _ => BucketOwner::IpPrefix(client.ip_prefix),
        };
        Some(SharedCheck {
            limit,
            bucket: TokenBucket {
                key: state.shared_limits.key(limit.name, &owner),
                burst: limit.burst,
                refill_interval: limit.refill_interval,
            },
            in_memory: client.bucket(&state.rate_limiter, &limit),
        })
    }

    /// The response if the bucket is empty.
    pub async fn take_token(self, state: &AppState) -> Option<Response> {
        let wait = state.shared_limits.take(&state.shop, self.bucket).await?;
        let now = Instant::now();
        state
            .rate_limiter
            .drain(&self.limit, self.in_memory, wait, now);
        Some(rate_limited(wait))
    }
}

/// The response to a client that must wait.
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
