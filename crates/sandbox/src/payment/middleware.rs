//! Middleware for all API endpoints: fault injection and the access token.

use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;

use super::fault_injection::{Endpoint, FaultKind};
use super::state::{ApiError, api_error};
use super::{Inner, SandboxGateway};

pub(super) const TOKEN_TTL_S: i64 = 60 * 60;
/// Longer than any client waits.
const HANG_DURATION: Duration = Duration::from_secs(120);

const UNAUTHORIZED: ApiError = api_error(
    StatusCode::UNAUTHORIZED,
    "AUTHORIZATION_FAILED",
    "The token is missing, unknown or expired",
);
const RATE_LIMITED: ApiError = api_error(
    StatusCode::TOO_MANY_REQUESTS,
    "TOO_MANY_REQUESTS",
    "Too many requests, please try again in a while",
);
pub(super) const INTERNAL_ERROR: ApiError = api_error(
    StatusCode::INTERNAL_SERVER_ERROR,
    "INTERNAL_SERVER_ERROR",
    "There is an error trying to process your request, please try again in a while",
);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = json!({
            "success": false,
            "code": self.code,
            "message": self.message,
            "data": {},
        });
        (self.status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response()
    }
}

pub(super) async fn authenticate_and_inject(
    State((SandboxGateway(sandbox), endpoint)): State<(SandboxGateway, Endpoint)>,
    request: Request,
    next: Next,
) -> Response {
    let fault = sandbox.faults.next_fault(endpoint);
    if fault.latency_ms > 0 {
        tokio::time::sleep(Duration::from_millis(fault.latency_ms)).await;
    }
    match fault.kind {
        Some(FaultKind::Hang) => {
            tokio::time::sleep(HANG_DURATION).await;
            return INTERNAL_ERROR.into_response();
        }
        Some(FaultKind::Error) => return INTERNAL_ERROR.into_response(),
        Some(FaultKind::RateLimited) => return RATE_LIMITED.into_response(),
        Some(FaultKind::DropResponse) | None => {}
    }
    let token = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("O-Bearer "));
    if endpoint != Endpoint::Token
        && !token.is_some_and(|token| sandbox.tokens.is_valid(token, sandbox.clock.now_ms()))
    {
        return UNAUTHORIZED.into_response();
    }
    let response = next.run(request).await;
    if let Some(FaultKind::DropResponse) = fault.kind {
        tokio::time::sleep(HANG_DURATION).await;
    }
    response
}

impl Inner {
    pub(super) fn new_token(&self, now_ms: i64) -> String {
        let token = URL_SAFE_NO_PAD.encode(self.ids.random_bytes());
        let expires_at_ms = now_ms + TOKEN_TTL_S * 1000;
        self.tokens.insert(token.clone(), now_ms, expires_at_ms);
        token
    }
}
