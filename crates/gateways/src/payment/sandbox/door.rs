//! In front of every call of the protocol: the mood that the switches put the gateway in, and the token.

use std::sync::PoisonError;
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::books::{Refusal, refusal};
use super::switches::Trouble;
use super::{Inner, SandboxGateway};

pub(super) const TOKEN_SECONDS: i64 = 60 * 60;
/// Longer than anybody waits.
const HANG: Duration = Duration::from_secs(120);

const UNAUTHORIZED: Refusal = refusal(
    StatusCode::UNAUTHORIZED,
    "AUTHORIZATION_FAILED",
    "The token is missing, unknown or expired",
);
const TOO_MANY: Refusal = refusal(
    StatusCode::TOO_MANY_REQUESTS,
    "TOO_MANY_REQUESTS",
    "Too many requests, please try again in a while",
);
pub(super) const BROKEN: Refusal = refusal(
    StatusCode::INTERNAL_SERVER_ERROR,
    "INTERNAL_SERVER_ERROR",
    "There is an error trying to process your request, please try again in a while",
);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Call {
    Token,
    Pay,
    Status,
    Refund,
    RefundStatus,
}

impl IntoResponse for Refusal {
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

pub(super) async fn keep(
    State((SandboxGateway(sandbox), call)): State<(SandboxGateway, Call)>,
    request: Request,
    next: Next,
) -> Response {
    let mood = sandbox.switches.mood(call);
    if mood.latency_ms > 0 {
        tokio::time::sleep(Duration::from_millis(mood.latency_ms)).await;
    }
    match mood.trouble {
        Some(Trouble::Hang) => {
            tokio::time::sleep(HANG).await;
            return BROKEN.into_response();
        }
        Some(Trouble::Error) => return BROKEN.into_response(),
        Some(Trouble::TooMany) => return TOO_MANY.into_response(),
        Some(Trouble::LoseAnswer) | None => {}
    }
    let token = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("O-Bearer "));
    if call != Call::Token && !token.is_some_and(|token| sandbox.knows_token(token)) {
        return UNAUTHORIZED.into_response();
    }
    let response = next.run(request).await;
    if let Some(Trouble::LoseAnswer) = mood.trouble {
        tokio::time::sleep(HANG).await;
    }
    response
}

impl Inner {
    pub(super) fn new_token(&self, now_ms: i64) -> String {
        let token = URL_SAFE_NO_PAD.encode(self.ids.random_bytes());
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.retain(|_, expires_at_ms| *expires_at_ms > now_ms);
        tokens.insert(token.clone(), now_ms + TOKEN_SECONDS * 1000);
        token
    }

    fn knows_token(&self, token: &str) -> bool {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        tokens
            .get(token)
            .is_some_and(|expires_at_ms| *expires_at_ms > self.clock.now_ms())
    }

    pub(super) fn revoke_tokens(&self) {
        self.tokens
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}
