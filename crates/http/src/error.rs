//! The one place where a fault becomes a status and a body. Inner errors are logged here, once, and
//! never shown.

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, Uri, header};
use mirasa_app::{AppError, ErrorKind};

use crate::dto::ErrorBody;
use crate::pages::is_api_path;

/// A refusal of the framework's is a line; a longer text is none.
const MAX_REASON_BYTES: usize = 1000;

pub struct ApiError(pub AppError);

pub type ApiResult<T> = Result<T, ApiError>;

impl<F: Into<AppError>> From<F> for ApiError {
    fn from(fault: F) -> ApiError {
        ApiError(fault.into())
    }
}

fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::NotAuthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::Conflict => StatusCode::CONFLICT,
        ErrorKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        ErrorKind::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ErrorKind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::Unavailable | ErrorKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError(fault) = self;
        if let Some(source) = &fault.source {
            tracing::error!(kind = ?fault.kind, error = format!("{source:#}"), "{}", fault.message);
        }
        let mut response = error_response(status(fault.kind), &fault.message);
        if fault.kind == ErrorKind::Busy {
            metrics::counter!("http_shed").increment(1);
        }
        let retry_after_s = fault.retry_after_s.or(match fault.kind {
            ErrorKind::Unavailable | ErrorKind::RateLimited => Some(2),
            ErrorKind::Busy => Some(1),
            _ => None,
        });
        if let Some(seconds) = retry_after_s {
            let seconds = HeaderValue::from(seconds);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// What an answer's errors look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorFormat {
    Html,
    Json,
}

impl ErrorFormat {
    pub fn of(address: &Uri) -> ErrorFormat {
        let path = address.path();
        if is_api_path(path) || path.starts_with("/images/") {
            ErrorFormat::Json
        } else {
            ErrorFormat::Html
        }
    }

    /// Puts into the one shape what the framework refuses by itself: a query that cannot be read, a path
    /// that is no text, an answer that takes too long.
    pub async fn normalise(self, response: Response) -> Response {
        let status = response.status();
        if self == ErrorFormat::Html || !(status.is_client_error() || status.is_server_error()) {
            return response;
        }
        let content_type = response.headers().get(header::CONTENT_TYPE);
        if content_type.is_some_and(|kind| kind == "application/json") {
            return response;
        }
        if status.is_server_error() {
            let fault = AppError::unavailable(anyhow::anyhow!("answered {status}"));
            return ApiError(fault).into_response();
        }
        let text = axum::body::to_bytes(response.into_body(), MAX_REASON_BYTES).await;
        let text = text.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let reason = status.canonical_reason().unwrap_or("Bad Request");
        error_response(status, if text.is_empty() { reason } else { &text })
    }
}

/// An address with a NUL in it: nothing of the shop has one in its name, and PostgreSQL would stumble
/// over it.
pub fn reject_nul_in_url(request: &Request) -> Option<Response> {
    let address = request.uri();
    let has_nul = |text: &str| text.contains("%00");
    let refused = has_nul(address.path()) || address.query().is_some_and(has_nul);
    (refused && ErrorFormat::of(address) == ErrorFormat::Json)
        .then(|| error_response(StatusCode::BAD_REQUEST, "The address is not valid"))
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
