//! The types and errors that the endpoints of the OpenID provider share.

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The parameters of OpenID Connect. The account page sends the same request again with
/// `login_hint`.
#[derive(Deserialize, Default)]
pub(super) struct AuthorizeParams {
    pub(super) client_id: Option<String>,
    pub(super) redirect_uri: Option<String>,
    pub(super) response_type: Option<String>,
    pub(super) scope: Option<String>,
    pub(super) state: Option<String>,
    pub(super) nonce: Option<String>,
    pub(super) code_challenge: Option<String>,
    pub(super) code_challenge_method: Option<String>,
    pub(super) login_hint: Option<String>,
}

/// The content of a code.
#[derive(Serialize, Deserialize)]
pub(super) struct Grant {
    /// Makes every code unique.
    pub(super) id: String,
    pub(super) email: String,
    pub(super) nonce: Option<String>,
    pub(super) code_challenge: String,
    pub(super) expires_at_ms: i64,
}

pub(super) fn oauth_error(status: StatusCode, error: &str) -> Response {
    (
        status,
        [(CACHE_CONTROL, "no-store")],
        Json(json!({ "error": error })),
    )
        .into_response()
}

pub(super) fn server_error(error: &anyhow::Error) -> Response {
    tracing::error!("the sandbox sign-in failed: {error:#}");
    oauth_error(StatusCode::INTERNAL_SERVER_ERROR, "server_error")
}
