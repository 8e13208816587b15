//! For whoever runs the shop: is it alive, can it work, how is it doing.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode, header};

use crate::error::error_response;
use crate::site::Site;

/// The process answers.
pub async fn alive() -> &'static str {
    "ok"
}

/// The database answers too and can be written to.
pub async fn ready(State(site): State<Site>) -> Response {
    match site.shop.db.ping().await {
        Ok(()) => "ok".into_response(),
        Err(error) => {
            tracing::warn!(
                error = format!("{:#}", anyhow::Error::from(error)),
                "not ready"
            );
            (
                StatusCode::SERVICE_UNAVAILABLE,
                [(header::RETRY_AFTER, "2")],
                "the database is away",
            )
                .into_response()
        }
    }
}

/// Not public: only for whoever knows the configured token.
pub async fn metrics(State(site): State<Site>, headers: HeaderMap) -> Response {
    let given = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .unwrap_or_default();
    match &site.metrics {
        Some(metrics) if site.settings.metrics_token.is(given) => (
            [(header::CONTENT_TYPE, "text/plain; version=0.0.4")],
            metrics.render(),
        )
            .into_response(),
        _ => error_response(StatusCode::UNAUTHORIZED, "not authenticated"),
    }
}
