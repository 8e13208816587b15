//! Liveness, readiness and metrics.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};
use mirasa_app::ErrorCode;
use mirasa_app::runtime::supervision;

use crate::error::error_response;
use crate::state::AppState;

/// The process responds.
pub async fn liveness() -> &'static str {
    "ok"
}

/// Ready if the database is writable and all required workers run. A worker that was restarted after a panic is named in
/// the response; the shop is still ready.
pub async fn readiness(State(state): State<AppState>) -> Response {
    if let Err(error) = state.shop.db.ping().await {
        tracing::warn!(
            error = format!("{:#}", anyhow::Error::from(error)),
            "not ready"
        );
        return not_ready("the database is away".into());
    }
    let report = supervision::report();
    let notes = report.notes.join("\n");
    match report.is_ready {
        true if notes.is_empty() => "ok".into_response(),
        true => format!("ok\n{notes}").into_response(),
        false => not_ready(format!("not ready\n{notes}")),
    }
}

fn not_ready(why: String) -> Response {
    let headers = [(header::RETRY_AFTER, "2")];
    (StatusCode::SERVICE_UNAVAILABLE, headers, why).into_response()
}

/// Only with the configured token.
pub async fn metrics(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    match &state.metrics {
        Some(metrics) if state.settings.metrics_token.matches(given) => (
            [(header::CONTENT_TYPE, "text/plain; version=0.0.4")],
            metrics.render(),
        )
            .into_response(),
        _ => error_response(ErrorCode::Unauthorized, "not authenticated"),
    }
}
