//! The one place where an error becomes a status and a body. Inner errors are logged here, once, and never shown.

pub mod types;

use std::borrow::Cow;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, Uri, header};
use mirasa_app::{AppError, ErrorCode, ErrorKind};

use crate::error::types::{ErrorBody, ErrorCodeDto};
use crate::paths::is_api_path;

/// Error texts of the framework are shorter than this.
const MAX_REASON_BYTES: usize = 1000;

pub struct ApiError(pub AppError);

pub type ApiResult<T> = Result<T, ApiError>;

impl<F: Into<AppError>> From<F> for ApiError {
    fn from(fault: F) -> ApiError {
        ApiError(fault.into())
    }
}

pub fn status(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Invalid => StatusCode::BAD_REQUEST,
        ErrorKind::NotAuthenticated => StatusCode::UNAUTHORIZED,
        ErrorKind::Forbidden => StatusCode::FORBIDDEN,
        ErrorKind::NotFound => StatusCode::NOT_FOUND,
        ErrorKind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        ErrorKind::RequestTimeout => StatusCode::REQUEST_TIMEOUT,
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
        let (code, kind) = (fault.code, fault.kind());
        if let Some(source) = &fault.source {
            let error = format!("{source:#}");
            tracing::error!(code = code.as_str(), error, "{}", fault.message);
        }
        let mut response = respond(status(kind), code, fault.field, &fault.message);
        if kind == ErrorKind::Busy {
            metrics::counter!("http_requests_shed_total").increment(1);
        }
        let retry_after_s = fault.retry_after_s.or(match kind {
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

/// The format of error responses, by the path of the request.
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

    /// Converts errors of the framework, such as an invalid query, a path that is not UTF-8 or a timeout, to our JSON
    /// body.
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
        let text = if text.is_empty() { reason } else { &text };
        respond(status, code_for(status), None, text)
    }
}

/// The code of a framework error, which has only a status.
fn code_for(status: StatusCode) -> ErrorCode {
    match status {
        StatusCode::UNAUTHORIZED => ErrorCode::Unauthorized,
        StatusCode::FORBIDDEN => ErrorCode::Forbidden,
        StatusCode::NOT_FOUND => ErrorCode::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ErrorCode::MethodNotAllowed,
        StatusCode::REQUEST_TIMEOUT => ErrorCode::RequestTimeout,
        StatusCode::CONFLICT => ErrorCode::Conflict,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::TooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorCode::UnsupportedMediaType,
        StatusCode::TOO_MANY_REQUESTS => ErrorCode::RateLimited,
        _ => ErrorCode::InvalidInput,
    }
}

/// Rejects a URL with a NUL character. No name in the shop has one, and PostgreSQL cannot store it.
pub fn reject_nul_in_url(request: &Request) -> Option<Response> {
    let address = request.uri();
    let has_nul = |text: &str| text.contains("%00");
    let refused = has_nul(address.path()) || address.query().is_some_and(has_nul);
    (refused && ErrorFormat::of(address) == ErrorFormat::Json)
        .then(|| error_response(ErrorCode::InvalidInput, "The address is not valid"))
}

/// An error without a field.
pub fn error_response(code: ErrorCode, text: &str) -> Response {
    respond(status(code.kind()), code, None, text)
}

/// Only the body, for the page renderer.
pub fn error_json(code: ErrorCode, text: &str) -> Vec<u8> {
    serde_json::to_vec(&body(code, None, text)).unwrap_or_default()
}

fn respond(
    status: StatusCode,
    code: ErrorCode,
    field: Option<Cow<'static, str>>,
    text: &str,
) -> Response {
    (
        status,
        [(header::CACHE_CONTROL, "no-store")],
        axum::Json(body(code, field, text)),
    )
        .into_response()
}

/// `{"error": text, "message": text, "code": code}`: the body of every error.
fn body(code: ErrorCode, field: Option<Cow<'static, str>>, text: &str) -> ErrorBody {
    ErrorBody {
        error: text.to_owned(),
        message: text.to_owned(),
        code: ErrorCodeDto(code),
        field,
    }
}

#[cfg(test)]
mod tests {
    use mirasa_app::repository::StoreError;

    use super::*;

    async fn json(response: Response) -> serde_json::Value {
        let bytes = axum::body::to_bytes(response.into_body(), MAX_REASON_BYTES);
        serde_json::from_slice(&bytes.await.unwrap()).unwrap()
    }

    #[tokio::test]
    async fn overload_is_busy() {
        let response = ApiError::from(StoreError::Busy).into_response();
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()[header::RETRY_AFTER], "1");
        assert_eq!(json(response).await["code"], "busy");
    }

    #[tokio::test]
    async fn every_rejection_of_the_framework_gets_a_code() {
        for (status, code) in [
            (400, "invalid_input"),
            (401, "unauthorized"),
            (403, "forbidden"),
            (404, "not_found"),
            (405, "method_not_allowed"),
            (408, "request_timeout"),
            (409, "conflict"),
            (413, "too_large"),
            (415, "unsupported_media_type"),
            (418, "invalid_input"),
            (429, "rate_limited"),
            (500, "unavailable"),
            (504, "unavailable"),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let rejection = (status, "no").into_response();
            let response = ErrorFormat::Json.normalise(rejection).await;
            assert_eq!(
                response.status().is_server_error(),
                status.is_server_error()
            );
            let body = json(response).await;
            assert_eq!(body["code"], code, "{status}");
            assert_eq!(body.get("field"), None, "{status}");
        }
    }
}
