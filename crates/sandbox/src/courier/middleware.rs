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
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::fault_injection::{Endpoint, FaultKind};
use super::{Inner, SandboxCourier};

/// Ten days, as Shiprocket's.
pub(super) const TOKEN_TTL_S: i64 = 864_000;
/// Longer than any client waits.
const HANG_DURATION: Duration = Duration::from_secs(120);

pub(super) fn respond(status: StatusCode, body: &Value) -> Response {
    (status, [(CACHE_CONTROL, "no-store")], Json(body)).into_response()
}

pub(super) fn error(status: StatusCode, message: &str) -> Response {
    let body = json!({ "message": message, "status_code": status.as_u16() });
    respond(status, &body)
}

pub(super) fn invalid(field: &str, message: &str) -> Response {
    let body = json!({
        "message": "Oops! Invalid Data.",
        "errors": { field: [message] },
        "status_code": 422,
    });
    respond(StatusCode::UNPROCESSABLE_ENTITY, &body)
}

pub(super) async fn authenticate_and_inject(
    State((SandboxCourier(sandbox), endpoint)): State<(SandboxCourier, Endpoint)>,
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
            return error(StatusCode::GATEWAY_TIMEOUT, "Timeout");
        }
        Some(FaultKind::Down) => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(FaultKind::Error) => {
            let text = "Trying to get property of non-object";
            return error(StatusCode::INTERNAL_SERVER_ERROR, text);
        }
        Some(FaultKind::RateLimited) => {
            return error(StatusCode::TOO_MANY_REQUESTS, "Too Many Attempts.");
        }
        _ => {}
    }
    let token = request
        .headers()
        .get(AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if endpoint != Endpoint::Login
        && !token.is_some_and(|token| sandbox.tokens.is_valid(token, sandbox.clock.now_ms()))
    {
        return respond(
            StatusCode::UNAUTHORIZED,
            &json!({ "message": "Unauthenticated." }),
        );
    }
    if fault.kind == Some(FaultKind::HiddenError) {
        return respond(StatusCode::OK, &hidden_error(endpoint));
    }
    let response = next.run(request).await;
    match fault.kind {
        Some(FaultKind::DropResponse) => {
            tokio::time::sleep(HANG_DURATION).await;
            response
        }
        Some(FaultKind::DuplicateId) => invalid("order_id", "The order id has already been taken."),
        _ => response,
    }
}

/// The failures that Shiprocket reports with status 200.
fn hidden_error(endpoint: Endpoint) -> Value {
    match endpoint {
        Endpoint::Serviceability => json!({ "message": "Invalid Pickup Pincode" }),
        Endpoint::Create => json!({ "status": "NEW", "status_code": 1 }),
        Endpoint::Assign => json!({
            "awb_assign_status": 0,
            "response": { "data": { "awb_assign_error": "Courier is not responding, please try again" } },
        }),
        Endpoint::Label => json!({ "label_created": 0, "label_url": null, "not_created": [] }),
        Endpoint::Pickup => json!({ "pickup_status": 0, "message": "Pickup is not available" }),
        Endpoint::Manifest => json!({ "status": 1, "manifest_url": "" }),
        Endpoint::Track => {
            json!({ "tracking_data": { "track_status": 0, "error": "No activities" } })
        }
        Endpoint::Login | Endpoint::Search | Endpoint::Cancel => {
            json!({ "status": 0, "payload": { "error_message": "Something went wrong" } })
        }
    }
}

impl Inner {
    /// A signed token with the claims of Shiprocket's.
    pub(super) fn new_token(&self, now_ms: i64) -> String {
        let (issued, id) = (now_ms / 1000, self.ids.new_id());
        let claims = json!({
            "sub": 1, "iss": format!("{}/auth/login", self.credentials.base_url), "iat": issued,
            "exp": issued + TOKEN_TTL_S, "nbf": issued, "jti": id,
        });
        let header = URL_SAFE_NO_PAD.encode(json!({ "typ": "JWT", "alg": "HS256" }).to_string());
        let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
        // Clients do not check it, and the sandbox knows its tokens.
        let signature = Sha256::digest(format!("{}{signed}", self.file_key));
        let token = format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature));
        let expires_at_ms = now_ms + TOKEN_TTL_S * 1000;
        self.tokens.insert(token.clone(), now_ms, expires_at_ms);
        token
    }
}
