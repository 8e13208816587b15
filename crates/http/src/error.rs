//! The one place where a fault becomes a status and a body. Inner errors are logged here, once, and
//! never shown.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use mirasa_app::{Fault, Kind};

use crate::wire::ErrorBody;

pub struct ApiError(pub Fault);

pub type Answer<T> = Result<T, ApiError>;

impl<F: Into<Fault>> From<F> for ApiError {
    fn from(fault: F) -> ApiError {
        ApiError(fault.into())
    }
}

fn status(kind: Kind) -> StatusCode {
    match kind {
        Kind::Invalid => StatusCode::BAD_REQUEST,
        Kind::NotAuthenticated => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError(fault) = self;
        if let Some(source) = &fault.source {
            tracing::error!(kind = ?fault.kind, error = format!("{source:#}"), "{}", fault.text);
        }
        let mut response = error_response(status(fault.kind), &fault.text);
        if matches!(fault.kind, Kind::Unavailable) {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
        }
        response
    }
}

/// `{"error": text, "message": text}`, whatever went wrong.
pub fn error_response(status: StatusCode, text: &str) -> Response {
    let body = ErrorBody {
        error: text.to_owned(),
        message: text.to_owned(),
    };
    (
        status,
        [(header::CACHE_CONTROL, "no-store")],
        axum::Json(body),
    )
        .into_response()
}
