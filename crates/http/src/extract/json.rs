//! JSON request and response bodies. The error for an invalid body names the wrong field.

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use axum::RequestExt as _;
use axum::body::Body;
use axum::extract::{FromRequest, OptionalFromRequest, Request};
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use http_body_util::{BodyExt as _, LengthLimitError};
use mirasa_app::{AppError, ErrorCode};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_path_to_error::{Path, Segment};

use crate::error::ApiError;

const MAX_DRAINED_FRAMES: usize = 4096;
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);

/// A JSON request body, or a JSON response that must not be cached.
pub struct Json<T>(pub T);

/// A JSON response with the status 201.
pub struct Created<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Json<T>, ApiError> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let is_json = content_type
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| {
                value
                    .split(';')
                    .next()
                    .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
            });
        if !is_json {
            return Err(AppError::new(
                ErrorCode::UnsupportedMediaType,
                "Content-Type must be application/json",
            )
            .into());
        }
        let mut body = request.into_limited_body();
        let bytes = match (&mut body).collect().await {
            Ok(collected) => collected.to_bytes(),
            Err(error) if is_length_limit(&error) => {
                drain_body(body).await;
                return Err(AppError::new(ErrorCode::TooLarge, "The request is too large").into());
            }
            Err(_) => return Err(AppError::invalid("The request body could not be read").into()),
        };
        parse(&bytes).map(Json)
    }
}

/// None without a content type, as a request without a body has it.
impl<S: Send + Sync, T: DeserializeOwned> OptionalFromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Option<Json<T>>, ApiError> {
        if request.headers().get(header::CONTENT_TYPE).is_none() {
            return Ok(None);
        }
        <Json<T> as FromRequest<S>>::from_request(request, state)
            .await
            .map(Some)
    }
}

fn is_length_limit(error: &axum::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Reads and discards the rest of a body that is too large. If the connection were closed before, many clients would
/// not receive the response. Limited in frames and time. (A body over its limit returns an error for each frame.)
async fn drain_body(mut body: Body) {
    let all = async {
        for _ in 0..MAX_DRAINED_FRAMES {
            if body.frame().await.is_none() {
                break;
            }
        }
    };
    let _ = tokio::time::timeout(DRAIN_TIMEOUT, all).await;
}

pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ApiError> {
    if has_nul(bytes) {
        return Err(
            AppError::invalid("The request contains a character that cannot be used").into(),
        );
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let field = invalid_field(error.path(), error.inner());
        let inner = error.into_inner();
        // serde also reports a syntax error if an enum is null.
        let is_json = serde_json::from_slice::<IgnoredAny>(bytes).is_ok();
        let text = if path == "." || !is_json {
            format!("The request is not valid: {inner}")
        } else {
            format!("{path} is not valid: {inner}")
        };
        AppError {
            field: field.filter(|_| is_json),
            ..AppError::invalid(text)
        }
    })?;
    reader
        .end()
        .map_err(|error| AppError::invalid(format!("The request is not valid: {error}")))?;
    Ok(value)
}

/// The outermost field of the path. A missing field has no path: serde names it in its message only.
pub fn invalid_field(path: &Path, error: &impl Display) -> Option<Cow<'static, str>> {
    match path.iter().next() {
        Some(Segment::Map { key }) => Some(key.clone().into()),
        Some(_) => None,
        None => {
            let message = error.to_string();
            let (_, named) = message.split_once("missing field `")?;
            named
                .split_once('`')
                .map(|(name, _)| name.to_owned().into())
        }
    }
}

/// PostgreSQL cannot store a NUL character. It is rejected here for all fields.
fn has_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        if rest[at..].starts_with(b"\\u0000") {
            return true;
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    false
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        ([(header::CACHE_CONTROL, "no-store")], axum::Json(self.0)).into_response()
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        (StatusCode::CREATED, Json(self.0)).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::has_nul;

    #[test]
    fn has_nul_finds_only_escaped_nul_characters() {
        for text in [r#""\u0000""#, r#"{"a":"x\\\u0000"}"#] {
            assert!(has_nul(text.as_bytes()), "{text}");
        }
        for text in [r#""\\u0000""#, r#""u0000""#, r#""\u0001""#, "\\", ""] {
            assert!(!has_nul(text.as_bytes()), "{text}");
        }
    }
}
